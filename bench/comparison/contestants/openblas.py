"""Debian's OpenBLAS, the build that uses OpenMP; it cannot pack weights ahead."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes

from .. import environment
from ..layer import Layer
from . import Contestant, Entry
from .blas import Blas, fastest_product


class OpenBlas:
    """sgemm, or sgemv for one row or column where that is faster."""

    def __init__(self) -> None:
        library = ctypes.PyDLL(str(environment.OPENBLAS))
        library.openblas_get_config.restype = ctypes.c_char_p
        library.openblas_get_corename.restype = ctypes.c_char_p
        words = library.openblas_get_config().decode().split()
        self.version = f"{words[1]} {library.openblas_get_corename().decode()}"
        self._blas = Blas(library)

    def enter(self, layer: Layer) -> Entry:
        return fastest_product(layer, self._blas.products(layer))


def create() -> Contestant:
    return OpenBlas()
