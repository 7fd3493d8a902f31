"""Debian's libxsmm: its batch-reduce kernels under the loops of xsmm_linear.c."""
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
from .blas import Address, Way, fastest_way

# Rows and columns of a tile, and how much of K one pass over the output takes. 48 rows and
# 64 columns are sizes that libxsmm's own layers use; the best is chosen by a trial.
_TILES = ((48, 64), (48, 32), (24, 64))
_BLOCK_OF_K = 64
_CHUNKS_OF_K = (512, 1 << 30)


class _Blocked:
    """A layer with one blocking, for every copy of the weight."""

    def __init__(self, library: ctypes.PyDLL, layer: Layer, tile: tuple[int, int],
                 chunk: int) -> None:
        problem = layer.problem
        self.library = library
        self._handle = ctypes.c_void_p(library.xsmm_linear_create(*map(ctypes.c_int64, (
            problem.rows, problem.n, problem.k, *tile, _BLOCK_OF_K, chunk // _BLOCK_OF_K))))
        if not self._handle:
            raise RuntimeError(f"no kernel for tiles of {tile[0]}x{tile[1]}")

    def __del__(self) -> None:
        self.library.xsmm_linear_free(self._handle)

    def call(self, layer: Layer, output: Tensor) -> Call:
        packed = torch.empty(layer.problem.weight_elements)
        self.library.xsmm_linear_pack(self._handle, Address(layer.weight), Address(packed))
        return partial(self.library.xsmm_linear_run, self._handle, Address(layer.x),
                       Address(packed, owner=self), Address(output))


class Libxsmm:
    """The fastest of a few blockings."""

    def __init__(self) -> None:
        self._library = ctypes.PyDLL(str(environment.XSMM_LIBRARY))
        self._library.xsmm_linear_create.restype = ctypes.c_void_p
        self.version = environment.debian_version("libxsmm-dev")

    def enter(self, layer: Layer) -> Entry:
        chunks = [chunk for chunk in _CHUNKS_OF_K
                  if chunk < layer.problem.k or chunk == _CHUNKS_OF_K[-1]]
        return fastest_way(layer, [self._way(tile, chunk)
                                     for tile in _TILES for chunk in chunks])

    def _way(self, tile: tuple[int, int], chunk: int) -> Way:
        def calls(layer: Layer, output: Tensor) -> Sequence[Call]:
            blocked = _Blocked(self._library, layer, tile, chunk)
            return [blocked.call(layer, output) for _ in range(layer.copies)]

        return calls


def create() -> Contestant:
    return Libxsmm()
