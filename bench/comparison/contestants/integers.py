"""How the integers of x are read."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor

from ..layer import Layer


@dataclass(frozen=True)
class IntegerReading:
    """What is multiplied: `integers` of x, of type `dtype`, with this zero point."""

    integers: Callable[[Tensor], Tensor]
    dtype: torch.dtype
    zero: int


def _as_unsigned(x: Tensor) -> Tensor:
    """s8 + 128: the sign bit turned over."""
    return torch.bitwise_xor(x.view(torch.uint8), 128)


def readings(layer: Layer) -> list[IntegerReading]:
    """The ways to read x, of which a user would take the faster; the safe one first.

    CPUs that multiply u8 by s8 alone are where PyTorch computes s8 by s8 a thousand times
    slower: there a call makes u8 of s8 first."""
    assert layer.quantization is not None, "the layer is one of integers"
    as_it_is = IntegerReading(lambda x: x, layer.x.dtype, layer.quantization.x_zero)
    if layer.x.dtype != torch.int8:
        return [as_it_is]
    return [IntegerReading(_as_unsigned, torch.uint8, 128), as_it_is]
