"""Lintel, through its C ABI."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from torch import Tensor

from .. import lintel_abi
from ..layer import Layer
from . import Entry


def _view(tensor: Tensor) -> lintel_abi.Tensor:
    return lintel_abi.Tensor(tensor.data_ptr(), tensor.shape[-1])


class Lintel:
    """Tuned layers, one for each copy of the weight."""

    def __init__(self, engine: lintel_abi.Engine, dtype: str) -> None:
        self._engine = engine
        self._dtype = dtype
        self.version = engine.library.version

    def enter(self, layer: Layer) -> Entry:
        problem, output = layer.problem, layer.new_output()
        linears = [self._engine.compile(problem.text, self._dtype) for _ in range(layer.copies)]
        for linear in linears:
            linear.set_weight(layer.weight.data_ptr(), problem.k)
        operands = [_view(operand) for operand in layer.operands]
        calls = lintel_abi.prepared_calls(linears, _view(layer.x), problem.rows, operands,
                                          _view(output))

        def result(status: int) -> Tensor:
            self._engine.library.check(status)
            return output

        def close() -> None:
            for linear in linears:
                linear.close()

        return Entry(calls, result, close)
