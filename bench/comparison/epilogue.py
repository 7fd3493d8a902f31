"""Epilogues as PyTorch operations."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from functools import partial
from typing import Callable, Iterable, Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from .problems import Stage

_gelu_inplace: Callable[..., Tensor] = getattr(torch._C._nn, "gelu_")
_FUNCTIONAL: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu, "gelu_erf": F.gelu, "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "silu": F.silu, "sigmoid": torch.sigmoid, "tanh": torch.tanh}
_INPLACE: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu_, "gelu_erf": _gelu_inplace,
    "gelu_tanh": partial(_gelu_inplace, approximate="tanh"),
    "silu": torch._C._nn.silu_, "sigmoid": torch.sigmoid_, "tanh": torch.tanh_}


def apply(stages: Sequence[Stage], y: Tensor, operands: Iterable[Tensor]) -> Tensor:
    """The epilogue of `y`, which is left as it is."""
    remaining: Iterator[Tensor] = iter(operands)
    for stage in stages:
        if stage.name == "mul":
            y = y * next(remaining)
        elif stage.reads_operand:
            y = y + next(remaining)
        elif stage.bounds is not None:
            y = torch.clamp(y, *stage.bounds)
        else:
            y = _FUNCTIONAL[stage.name](y)
    return y


def inplace_steps(stages: Sequence[Stage],
                  operands: Sequence[Tensor]) -> list[Callable[[Tensor], Tensor]]:
    """The epilogue as steps that overwrite their argument: no memory to allocate."""
    remaining = iter(operands)

    def step(stage: Stage) -> Callable[[Tensor], Tensor]:
        if stage.reads_operand:
            operand = next(remaining)
            if stage.name == "mul":
                return lambda y: y.mul_(operand)
            return lambda y: y.add_(operand)
        if stage.bounds is not None:
            low, high = stage.bounds
            return lambda y: y.clamp_(low, high)
        return _INPLACE[stage.name]

    return [step(stage) for stage in stages]
