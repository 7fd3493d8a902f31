"""MKL, with the weight packed ahead where that is faster."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
from functools import partial
from typing import Sequence

import torch
from torch import Tensor

from .. import environment
from ..layer import Layer
from ..race import Call
from . import Contestant, Entry
from .blas import NO_TRANSPOSE, ROW_MAJOR, TRANSPOSE, Address, Blas, fastest_product

_PACKED = 151
_B_MATRIX = 162
_VERSION_LENGTH = 198


class Mkl:
    """cblas_sgemm_compute on packed weights, or sgemm, or sgemv for one row or column."""

    def __init__(self) -> None:
        # Its threading layer and kernels find OpenMP and each other among global symbols.
        folder = environment.FOLDER / "lib"
        path = max(folder.glob("libmkl_rt.so.*"), default=folder / "libmkl_rt.so.3")
        self._library = ctypes.PyDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        self._library.cblas_sgemm_pack_get_size.restype = ctypes.c_size_t
        text = ctypes.create_string_buffer(_VERSION_LENGTH)
        self._library.mkl_get_version_string(text, _VERSION_LENGTH)
        self.version = _short_version(text.value.decode())
        self._blas = Blas(self._library)

    def enter(self, layer: Layer) -> Entry:
        return fastest_product(layer, [self._packed, *self._blas.products(layer)])

    def _pack(self, layer: Layer) -> Tensor:
        """The weight in MKL's own layout, which depends on its address."""
        problem = layer.problem
        sizes = (problem.rows, problem.n, problem.k)
        packed = torch.empty(self._library.cblas_sgemm_pack_get_size(_B_MATRIX, *sizes),
                             dtype=torch.uint8)
        self._library.cblas_sgemm_pack(ROW_MAJOR, _B_MATRIX, TRANSPOSE, *sizes,
                                       ctypes.c_float(1), Address(layer.weight), problem.k,
                                       Address(packed))
        return packed

    def _packed(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        problem = layer.problem
        rows, k, n = map(ctypes.c_int, (problem.rows, problem.k, problem.n))
        before = (ctypes.c_int(ROW_MAJOR), ctypes.c_int(NO_TRANSPOSE), ctypes.c_int(_PACKED),
                  rows, n, k, Address(layer.x), k)
        after = (k, ctypes.c_float(0), Address(output), n)

        def call_on(weight: Tensor) -> Call:
            return partial(self._library.cblas_sgemm_compute, *before, Address(weight), *after)

        return [call_on(self._pack(layer)) for _ in range(layer.copies)]


def _short_version(text: str) -> str:
    """2026.2 of "Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build ..."."""
    words = text.split("Version ", 1)
    return words[-1].split("-", 1)[0].strip()


def create() -> Contestant:
    return Mkl()
