"""What the BLAS libraries have in common: sgemm or sgemv, then the epilogue in place.

They have no fused epilogue. PyTorch's in-place operations stand in for what a
user would write: vectorized, on the same threads, without memory to allocate."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
from functools import partial
from typing import Any, Callable, Sequence

from torch import Tensor

from .. import epilogue
from ..layer import Layer
from ..race import Call
from . import Entry, fastest_entry

ROW_MAJOR = 101
NO_TRANSPOSE = 111
TRANSPOSE = 112


class Address(ctypes.c_void_p):
    """Where a tensor's data are; keeps the tensor alive, and what it belongs to."""

    def __init__(self, tensor: Tensor, owner: object = None) -> None:
        super().__init__(tensor.data_ptr())
        self._kept = (tensor, owner)


Way = Callable[[Layer, Tensor], Sequence[Call]]


def with_epilogue(product: Call, layer: Layer, output: Tensor) -> Call:
    """`product`, which writes `output`, and the epilogue on what it wrote."""
    steps = epilogue.inplace_steps(layer.problem.stages, layer.operands)
    if not steps:
        return product

    def call() -> None:
        product()
        for step in steps:
            step(output)

    return call


def fastest_way(layer: Layer, ways: Sequence[Way]) -> Entry:
    """An entry by the fastest of several ways to make a layer's calls."""
    def enter(way: Way) -> Entry:
        output = layer.new_output()  # its own: what another way wrote would pass for right
        calls = [with_epilogue(product, layer, output) for product in way(layer, output)]
        return Entry(calls, lambda _: output)

    return fastest_entry(layer, [partial(enter, way) for way in ways])


class Blas:
    """The two CBLAS functions that compute a layer from the weight as it is."""

    def __init__(self, library: Any) -> None:
        self._sgemm = library.cblas_sgemm
        self._sgemv = library.cblas_sgemv

    def ways(self, layer: Layer) -> list[Way]:
        return [self.sgemv, self.sgemm] if layer.problem.rows == 1 else [self.sgemm]

    def sgemm(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        rows, k, n = _sizes(layer)
        before = (ctypes.c_int(ROW_MAJOR), ctypes.c_int(NO_TRANSPOSE), ctypes.c_int(TRANSPOSE),
                  rows, n, k, ctypes.c_float(1), Address(layer.x), k)
        after = (k, ctypes.c_float(0), Address(output), n)
        return [partial(self._sgemm, *before, Address(weight), *after)
                for weight in layer.weights()]

    def sgemv(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        _, k, n = _sizes(layer)
        one = ctypes.c_int(1)
        before = (ctypes.c_int(ROW_MAJOR), ctypes.c_int(NO_TRANSPOSE), n, k, ctypes.c_float(1))
        after = (k, Address(layer.x), one, ctypes.c_float(0), Address(output), one)
        return [partial(self._sgemv, *before, Address(weight), *after)
                for weight in layer.weights()]


def _sizes(layer: Layer) -> tuple[ctypes.c_int, ctypes.c_int, ctypes.c_int]:
    problem = layer.problem
    return ctypes.c_int(problem.rows), ctypes.c_int(problem.k), ctypes.c_int(problem.n)
