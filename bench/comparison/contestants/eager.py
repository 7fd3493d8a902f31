"""PyTorch eager: nn.functional.linear, then the epilogue in place."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from functools import partial
from typing import Callable

import torch
from torch import Tensor

from .. import epilogue
from ..layer import Layer
from ..race import Call
from . import Contestant, Entry

Step = Callable[[Tensor], Tensor]


class Eager:
    """As users call it, without gradients; a bias that comes first goes into the product.

    Products have the type of x; where the result has another, they are converted first."""

    version = str(torch.__version__)

    def enter(self, layer: Layer) -> Entry:
        stages, operands = layer.problem.stages, layer.operands
        bias, result = None, layer.result_dtype
        steps: list[Step] = []
        if layer.x.dtype != result:
            steps.append(lambda y: y.to(result))
        elif stages and stages[0].name == "bias":
            bias, stages, operands = operands[0], stages[1:], operands[1:]
        steps += epilogue.inplace_steps(stages, operands)
        linear = torch.nn.functional.linear

        def call_on(weight: Tensor) -> Call:
            product = partial(linear, layer.x, weight, bias)
            if not steps:
                return product

            def call() -> Tensor:
                y = product()
                for step in steps:
                    y = step(y)
                return y

            return call

        return Entry([call_on(weight) for weight in layer.weights()], lambda y: y,
                     rounded_between=layer.x.dtype)


def create() -> Contestant:
    return Eager()
