"""oneDNN's products of integers, as PyTorch's quantized models call them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Sequence

import torch
from torch import Tensor

from .. import epilogue
from ..layer import Layer
from ..problems import Stage
from ..race import Call
from . import Contestant, Entry, fastest_entry, without_hopeless
from .integers import IntegerReading, readings

# By the name that torch.ops.onednn knows it by, and the algorithm that this takes.
_FUSED = {"relu": ("relu", ""), "gelu_erf": ("gelu", "none"), "gelu_tanh": ("gelu", "tanh"),
          "silu": ("swish", ""), "tanh": ("tanh", ""), "clamp": ("hardtanh", "")}


@dataclass
class _Plan:
    """What one operation does: the product, a bias and a function, in `product`, its type.

    PyTorch's make that of the result and do the rest in place."""

    product: torch.dtype
    bias: Tensor | None
    function: Stage | None
    rest: Sequence[Stage]
    operands: Sequence[Tensor]

    def function_arguments(self) -> tuple[str, list[Any], str]:
        if self.function is None:
            return "none", [], ""
        name, algorithm = _FUSED[self.function.name]
        return name, list(self.function.bounds or []), algorithm


def _plans(layer: Layer) -> list[_Plan]:
    """With the function fused, where it can be, and without, which may work where that fails.

    Products of f32 come first: narrow ones save the operation that converts them, but on AVX2
    are left to oneDNN's reference kernels, 1400 times slower."""
    stages, operands = layer.problem.stages, layer.operands
    bias = None
    if stages and stages[0].name == "bias":
        bias, stages, operands = operands[0], stages[1:], operands[1:]
    fused = stages[0] if stages and stages[0].name in _FUSED else None
    return [_Plan(product, None if bias is None else bias.to(product), function,
                  stages if function is None else stages[1:], operands)
            for product in dict.fromkeys((torch.float32, layer.result_dtype))
            for function in dict.fromkeys((fused, None))]


def _steps(layer: Layer, plan: _Plan) -> list[Callable[[Tensor], Tensor]]:
    """What follows the product."""
    result = layer.result_dtype
    narrowing: list[Callable[[Tensor], Tensor]] = (
        [] if plan.product == result else [lambda y: y.to(result)])
    return narrowing + epilogue.inplace_steps(plan.rest, plan.operands)


def _planned(reading: IntegerReading, plan: _Plan, layer: Layer) -> Entry:
    quantization = layer.quantization
    assert quantization is not None, "the peer is for integers"
    zeros = torch.zeros(layer.problem.n, dtype=torch.int32)
    name, scalars, algorithm = plan.function_arguments()
    steps = _steps(layer, plan)
    multiply = torch.ops.onednn.qlinear_pointwise.default

    def call_on(weight: Tensor) -> Call:
        packed = torch.ops.onednn.qlinear_prepack(weight, list(layer.x.shape))
        arguments = (quantization.x_scale, reading.zero, packed, quantization.w_scale, zeros,
                     plan.bias, 1.0, 0, plan.product, name, scalars, algorithm)

        def call() -> Tensor:
            y = multiply(reading.integers(layer.x), *arguments)
            for step in steps:
                y = step(y)
            return y

        return call

    return Entry([call_on(layer.weight) for _ in range(layer.copies)], lambda y: y,
                 rounded_between=layer.result_dtype if plan.rest else None)


class OneDnn:
    """qlinear_pointwise on a prepacked weight, with what it can fuse of the epilogue."""

    def __init__(self) -> None:
        found = re.search(r"(?:oneDNN|MKL-DNN) v([0-9.]+)", torch.__config__.show())
        self.version = found.group(1) if found else str(torch.__version__)

    def enter(self, layer: Layer) -> Entry:
        ways = [partial(_planned, reading, plan)
                for reading in readings(layer) for plan in _plans(layer)]
        return fastest_entry(layer, without_hopeless(layer, ways))


def create() -> Contestant:
    return OneDnn()
