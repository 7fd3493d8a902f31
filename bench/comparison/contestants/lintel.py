"""Lintel, through its C ABI."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from contextlib import ExitStack, closing

import torch
from torch import Tensor

from .. import lintel_abi
from ..layer import Layer
from . import Entry


def _view(tensor: Tensor) -> lintel_abi.Tensor:
    return lintel_abi.Tensor(tensor.data_ptr(), tensor.shape[-1])


def _scales(layer: Layer) -> list[Tensor]:
    """The operands that come first where x and w are integers."""
    quantization = layer.quantization
    if quantization is None:
        return []
    scales = [torch.tensor([quantization.x_scale])]
    if layer.types.activation == "u8":
        scales.append(torch.tensor([quantization.x_zero], dtype=torch.int32))
    return [*scales, quantization.w_scale]


class Lintel:
    """Layers of one schedule, the tuned one if none is given: one for each copy of the weight."""

    def __init__(self, engine: lintel_abi.Engine, schedule: str = "") -> None:
        self._engine = engine
        self._schedule = schedule
        self.version = engine.library.version

    def enter(self, layer: Layer) -> Entry:
        problem, output = layer.problem, layer.new_output()
        with ExitStack() as closed_on_failure:
            linears = []
            for _ in range(layer.copies):
                linears.append(closed_on_failure.enter_context(closing(self._engine.compile(
                    problem.text, layer.types.text, self._schedule))))
                linears[-1].set_weight(layer.weight.data_ptr(), problem.k)
            scales = _scales(layer)
            operands = [_view(operand) for operand in (*scales, *layer.operands)]
            calls = lintel_abi.prepared_calls(linears, _view(layer.x), problem.rows, operands,
                                              _view(output))
            resources = closed_on_failure.pop_all()

        def result(status: int) -> Tensor:
            self._engine.library.check(status)
            return output

        def close() -> None:
            scales.clear()  # kept until here: calls read them
            resources.close()

        return Entry(calls, result, close)
