"""Debian's libxsmm: its batch-reduce kernels under the loops of xsmm_linear.c."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
from functools import partial
from itertools import takewhile
from math import inf
from typing import Sequence

import torch
from torch import Tensor

from .. import environment
from ..layer import Layer
from ..problems import Stage
from ..race import Call
from . import Contestant, Entry
from .blas import Address, Product, fastest_product

# Rows and columns of a tile, and how much of K one pass over the output takes. 48 rows and
# 64 columns are sizes that libxsmm's own layers use; the best is chosen by a trial.
_TILES = ((48, 64), (48, 32), (24, 64))
_BLOCK_OF_K = 64
_CHUNKS_OF_K = (512, 1 << 30)

# As xsmm_linear.c has them: MOST_STAGES, xsmm_operation and xsmm_stage.
_MOST_STAGES = 8
_ADD_ROW, _ADD, _MULTIPLY, _CLAMP = range(4)
_READING = {"bias": _ADD_ROW, "residual": _ADD, "mul": _MULTIPLY}


class _FusedStage(ctypes.Structure):
    _fields_ = [("operation", ctypes.c_int32), ("low", ctypes.c_float),
                ("high", ctypes.c_float), ("operand", ctypes.c_void_p)]


def _is_arithmetic(stage: Stage) -> bool:
    return stage.reads_operand or stage.bounds is not None or stage.name == "relu"


def _fused_stages(layer: Layer) -> list[_FusedStage]:
    """Those stages at the beginning of the epilogue that a tile of the output takes at once."""
    operands = iter(layer.operands)

    def fused(stage: Stage) -> _FusedStage:
        if stage.reads_operand:
            return _FusedStage(_READING[stage.name], 0, 0, next(operands).data_ptr())
        return _FusedStage(_CLAMP, *(stage.bounds or (0, inf)), None)

    first = list(takewhile(_is_arithmetic, layer.problem.stages))
    return [fused(stage) for stage in first[:_MOST_STAGES]]


class _Blocked:
    """A layer with one blocking, for every copy of the weight."""

    def __init__(self, library: ctypes.PyDLL, layer: Layer, tile: tuple[int, int],
                 chunk: int, stages: Sequence[_FusedStage]) -> None:
        problem = layer.problem
        self.library = library
        self._handle = ctypes.c_void_p(library.xsmm_linear_create(*map(ctypes.c_int64, (
            problem.rows, problem.n, problem.k, *tile, _BLOCK_OF_K, chunk // _BLOCK_OF_K)),
            (_FusedStage * len(stages))(*stages), ctypes.c_int64(len(stages))))
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
        stages = _fused_stages(layer)
        return fastest_product(layer, [self._blocked(tile, chunk, stages)
                                       for tile in _TILES for chunk in chunks], len(stages))

    def _blocked(self, tile: tuple[int, int], chunk: int,
                 stages: Sequence[_FusedStage]) -> Product:
        def calls(layer: Layer, output: Tensor) -> Sequence[Call]:
            blocked = _Blocked(self._library, layer, tile, chunk, stages)
            return [blocked.call(layer, output) for _ in range(layer.copies)]

        return calls


def create() -> Contestant:
    return Libxsmm()
