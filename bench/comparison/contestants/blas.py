"""What the BLAS libraries have in common: sgemm or sgemv, then the epilogue in place.

MKL and OpenBLAS have no fused epilogue. PyTorch's in-place operations stand in for
what a user would write: vectorized, on the same threads, without memory to allocate."""
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


# The calls that write the product, one for each copy of the weight.
Product = Callable[[Layer, Tensor], Sequence[Call]]


def with_epilogue(product: Call, layer: Layer, output: Tensor, done: int) -> Call:
    """`product`, which writes `output`, and the epilogue on what it wrote.

    But for the first stages, of which `product` has `done` as many."""
    steps = epilogue.inplace_steps(layer.problem.stages, layer.operands)[done:]
    if not steps:
        return product

    def call() -> None:
        product()
        for step in steps:
            step(output)

    return call


def fastest_product(layer: Layer, products: Sequence[Product], done: int = 0) -> Entry:
    """An entry by the fastest of several ways to make a layer's calls.

    These compute the first `done` stages of its epilogue, too."""
    def enter(product: Product, layer: Layer) -> Entry:
        output = layer.new_output()  # its own: what another way wrote would pass for right
        calls = [with_epilogue(call, layer, output, done) for call in product(layer, output)]
        return Entry(calls, lambda _: output)

    return fastest_entry(layer, [partial(enter, product) for product in products])


class Blas:
    """The two CBLAS functions that compute a layer from the weight as it is."""

    def __init__(self, library: Any) -> None:
        self._sgemm = library.cblas_sgemm
        self._sgemv = library.cblas_sgemv

    def products(self, layer: Layer) -> list[Product]:
        products: list[Product] = [self.sgemm]
        if layer.problem.rows == 1:
            products.append(self.sgemv_for_row)
        if layer.problem.n == 1:
            products.append(self.sgemv_for_column)
        return products

    def sgemm(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        rows, k, n = _sizes(layer)
        before = (ctypes.c_int(ROW_MAJOR), ctypes.c_int(NO_TRANSPOSE), ctypes.c_int(TRANSPOSE),
                  rows, n, k, ctypes.c_float(1), Address(layer.x), k)
        after = (k, ctypes.c_float(0), Address(output), n)
        return [partial(self._sgemm, *before, Address(weight), *after)
                for weight in layer.weights()]

    def sgemv_for_row(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        """The weight times the only row of x."""
        _, k, n = _sizes(layer)
        before, after = _matrix(n, k), _vectors(output)
        return [partial(self._sgemv, *before, Address(weight), k, Address(layer.x), *after)
                for weight in layer.weights()]

    def sgemv_for_column(self, layer: Layer, output: Tensor) -> Sequence[Call]:
        """x times the weight, which has one row."""
        rows, k, _ = _sizes(layer)
        before, after = _matrix(rows, k), _vectors(output)
        return [partial(self._sgemv, *before, Address(layer.x), k, Address(weight), *after)
                for weight in layer.weights()]


def _matrix(rows: ctypes.c_int, columns: ctypes.c_int) -> Sequence[Any]:
    """What sgemv takes before the matrix."""
    return ctypes.c_int(ROW_MAJOR), ctypes.c_int(NO_TRANSPOSE), rows, columns, ctypes.c_float(1)


def _vectors(output: Tensor) -> Sequence[Any]:
    """What sgemv takes behind the vector that it reads."""
    one = ctypes.c_int(1)
    return one, ctypes.c_float(0), Address(output), one


def _sizes(layer: Layer) -> tuple[ctypes.c_int, ctypes.c_int, ctypes.c_int]:
    problem = layer.problem
    return ctypes.c_int(problem.rows), ctypes.c_int(problem.k), ctypes.c_int(problem.n)
