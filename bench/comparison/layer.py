"""The data of one problem, the same for all contestants."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor

from . import epilogue
from .element_types import Types
from .problems import Problem

COLD_UP_TO_ROWS = 32
# Weights are cold if this many times all last-level caches was read since they were used last.
COLD_CACHES = 3
MAX_COPIES = 1024
# Columns of the reference at a time: bounds the memory of the double precision weight.
_REFERENCE_COLUMNS = 4096
_DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
           "u8": torch.uint8, "s8": torch.int8}
# Rounding errors of a right kernel are far below this many units in the last place of sqrt(K)
# additions; a term that is missing or wrong is far above.
_TOLERATED_ROUNDINGS = 16
# Bytes that are held beside what contestants have. Of an element of an integer weight, while it
# is made: in f32 itself, over its scale, and rounded.
_BYTES_TO_QUANTIZE = 12
# Of an element of the output, in double precision: the true one, another, how far it is off, and
# that without its sign.
_BYTES_TO_COMPARE = 32


@dataclass(frozen=True)
class Quantization:
    """What integers stand for: scale * (integer - zero)."""

    x_scale: float
    x_zero: int
    w_scale: Tensor  # [n] of f32; the zero point is 0


class Layer:
    """x, the weight and its copies, the epilogue's operands and the true result."""

    def __init__(self, problem: Problem, types: Types, copies: int, weight_bits: int) -> None:
        """An integer weight, and no other, has `weight_bits` bits (Machine.weight_bits)."""
        self.problem = problem
        self.types = types
        self.copies = copies
        self.result_dtype = _DTYPES[types.result]
        generator = torch.Generator().manual_seed(1)

        def uniform(*shape: int) -> Tensor:
            return torch.empty(shape).uniform_(-1, 1, generator=generator)

        x = uniform(problem.rows, problem.k)
        # Sums have a standard deviation of 1, so that no activation is saturated.
        weight = uniform(problem.n, problem.k).mul_(3 / problem.k**0.5)
        self.quantization: Quantization | None = None
        if types.are_integers:
            x, weight = self._quantize(x, weight, weight_bits)
        self.x = x.to(_DTYPES[types.activation])
        self.weight = weight.to(_DTYPES[types.weight])
        self.operands = [
            uniform(problem.n) if stage.name == "bias" else uniform(problem.rows, problem.n)
            for stage in problem.stages if stage.reads_operand]
        self.operands = [operand.to(self.result_dtype) for operand in self.operands]
        self._weights: list[Tensor] = []
        self._reference = self._evaluate()

    def weights(self) -> list[Tensor]:
        """The copies of the unpacked weight, shared by all who use it as it is."""
        if not self._weights:
            self._weights = [self.weight] + [self.weight.clone() for _ in range(1, self.copies)]
        return self._weights

    def new_output(self) -> Tensor:
        """For contestants that write into memory of the caller's."""
        return torch.full((self.problem.rows, self.problem.n), float("nan"),
                          dtype=self.result_dtype)

    def error(self, result: Tensor) -> float:
        """The largest difference from the float64 result, relative to the largest true value."""
        if result.shape != self._reference.shape:
            return float("inf")
        difference = (result.double() - self._reference).abs().max().item()
        return difference / max(self._reference.abs().max().item(), 1.0)

    def tolerance(self, precision: torch.dtype | None = None) -> float:
        """Of error(), for sums in f32 or of integers; what follows may round to `precision`.

        By default that is the result's type: the product and the result of each stage may
        have been rounded to it. A rounding is off by half an epsilon, but a stage may
        enlarge what was off before it."""
        sums = _TOLERATED_ROUNDINGS * torch.finfo(torch.float32).eps * self.problem.k**0.5
        precision = precision or self.result_dtype
        if precision == torch.float32:
            return sums
        return sums + (1 + len(self.problem.stages)) * torch.finfo(precision).eps

    def _quantize(self, x: Tensor, weight: Tensor,
                  weight_bits: int) -> tuple[Tensor, Tensor]:
        """The integers that stand for numbers in [-1, 1], and for rows of the weight."""
        most = 127
        most_of_weight = 2 ** (weight_bits - 1) - 1
        # 255 steps of u8, with a zero point inside; s8 has none.
        zero = 128 if self.types.activation == "u8" else 0
        w_scale = weight.abs().amax(dim=1).clamp_(min=1e-6) / most_of_weight
        x_scale = torch.tensor(1 / most).item()  # one of f32
        self.quantization = Quantization(x_scale, zero, w_scale)
        return (x * most).round() + zero, (weight / w_scale[:, None]).round()

    def _evaluate(self) -> Tensor:
        x = self.x.double()
        if self.quantization is not None:
            x = (x - self.quantization.x_zero) * self.quantization.x_scale
        blocks = [x @ rows.double().T for rows in self.weight.split(_REFERENCE_COLUMNS)]
        if self.quantization is not None:
            scales = self.quantization.w_scale.double().split(_REFERENCE_COLUMNS)
            blocks = [block * scale for block, scale in zip(blocks, scales)]
        operands = [operand.double() for operand in self.operands]
        return epilogue.apply(self.problem.stages, torch.cat(blocks, dim=1), operands)


def copies_for(problem: Problem, types: Types, last_level_caches: int, memory: int,
               contestants: int, say: Callable[[str], None]) -> int:
    """Copies of the weight for each contestant: one if it is measured warm.

    Says if there are too few for it to be cold, as `memory` bytes or MAX_COPIES allow; raises
    MemoryError if they do not hold what is needed."""
    weight = types.weight_bytes * problem.weight_elements
    results = 4 * problem.rows * (problem.n + problem.k)
    comparing = _BYTES_TO_COMPARE * problem.rows * problem.n
    making = _BYTES_TO_QUANTIZE * problem.weight_elements if types.are_integers else weight
    # Each contestant has its own, the original comes on top, and packing takes room for a while.
    affordable = ((memory - comparing - results * (contestants + 4))
                  // (weight * (contestants + 2)))
    everything = max(-(-COLD_CACHES * last_level_caches // weight), 2)
    wanted = min(everything, MAX_COPIES) if problem.rows <= COLD_UP_TO_ROWS else 1
    # A weight of that size drives itself out of the cache.
    needed = 1 if weight >= COLD_CACHES * last_level_caches else min(wanted, 2)
    if affordable < needed or memory < making + comparing:
        raise MemoryError(f"{memory >> 20} MiB of memory do not hold {contestants} contestants "
                          f"with weights of {weight >> 20} MiB")
    copies = min(wanted, affordable)
    if problem.rows <= COLD_UP_TO_ROWS and copies * weight < COLD_CACHES * last_level_caches:
        who = "memory holds" if copies == affordable else "there are no more than"
        say(f"{problem.text}: {who} {copies} of {everything} copies of the weight for each "
            "contestant, so that the caches may keep some of it warm")
    return copies
