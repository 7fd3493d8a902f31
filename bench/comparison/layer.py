"""The data of one problem, the same for all contestants."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
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
# Of the weight in double precision, which the reference takes by blocks of columns: 2048 of
# K = 4096. One column may have more.
_REFERENCE_BLOCK_BYTES = 64 << 20
_DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
           "u8": torch.uint8, "s8": torch.int8}
# Rounding errors of a right kernel are far below this many units in the last place of sqrt(K)
# additions; a term that is missing or wrong is far above.
_TOLERATED_ROUNDINGS = 16
# Bytes that are held beside what contestants have. Of an element of x and the weight, which is
# made of f32; of an integer: in f32 itself, over its scale, and rounded.
_BYTES_OF_F32 = 4
_BYTES_TO_QUANTIZE = 12
# Of an element of the output, in double precision: the true one, another, and how far it is off.
# A quarter of it is for operands, and for which elements are equal.
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

        self.quantization: Quantization | None = None
        self.x, self.weight = self._make_inputs(uniform, weight_bits)
        shapes = [(problem.n,) if stage.name == "bias" else (problem.rows, problem.n)
                  for stage in problem.stages if stage.reads_operand]
        self.operands = [uniform(*shape).to(self.result_dtype) for shape in shapes]
        self._weights: list[Tensor] = []
        self._reference = self._evaluate()
        sizes = self._reference.abs()
        sizes.masked_fill_(sizes == float("inf"), 0)  # of clamp(inf,inf), say
        self._largest = max(sizes.max().item(), 1.0)

    def weights(self) -> list[Tensor]:
        """The copies of the unpacked weight, shared by all who use it as it is."""
        if not self._weights:
            self._weights = [self.weight] + [self.weight.clone() for _ in range(1, self.copies)]
        return self._weights

    def first_row(self) -> Layer:
        """The layer of the first row of x alone, with one copy of the same weight."""
        row = copy(self)
        row.problem, row.copies, row._weights = replace(self.problem, rows=1), 1, []
        row.x, row._reference = self.x[:1], self._reference[:1]
        row.operands = [operand[:1] if operand.dim() == 2 else operand
                        for operand in self.operands]
        return row

    def new_output(self) -> Tensor:
        """For contestants that write into memory of the caller's."""
        return torch.full((self.problem.rows, self.problem.n), float("nan"),
                          dtype=self.result_dtype)

    def error(self, result: Tensor) -> float:
        """The largest difference from the float64 result, relative to the largest true value.

        That is the largest finite one, or 1; infinities that are the same do not differ."""
        if result.shape != self._reference.shape:
            return float("inf")
        result = result.double()
        differences = (result - self._reference).abs_()
        # The difference of two infinities is NaN, as that of NaN and a number.
        differences.masked_fill_(result == self._reference, 0)
        return differences.max().item() / self._largest

    def tolerance(self, rounded_between: torch.dtype | None = None) -> float:
        """Of error(), for sums in f32 or of integers and results that are rounded once.

        That is off by half an epsilon of the result's type, for bf16 by 0.004: without the last
        two of 4096 terms, a pair of vdpbf16ps, results with bias+relu are off by 0.017. With
        `rounded_between` the product and the result of each stage may have been rounded to that
        type; each is given a whole epsilon, since a stage may enlarge what was off before it."""
        sums = _TOLERATED_ROUNDINGS * torch.finfo(torch.float32).eps * self.problem.k**0.5
        if rounded_between is None:
            return sums + torch.finfo(self.result_dtype).eps / 2
        return sums + (1 + len(self.problem.stages)) * torch.finfo(rounded_between).eps

    def _make_inputs(self, uniform: Callable[..., Tensor],
                     weight_bits: int) -> tuple[Tensor, Tensor]:
        """x and the weight. What they are made of is not held any longer."""
        problem = self.problem
        x = uniform(problem.rows, problem.k)
        # Sums have a standard deviation of 1, so that no activation is saturated.
        weight = uniform(problem.n, problem.k).mul_(3 / problem.k**0.5)
        if self.types.are_integers:
            x, weight = self._quantize(x, weight, weight_bits)
        return x.to(_DTYPES[self.types.activation]), weight.to(_DTYPES[self.types.weight])

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
        # At a time one operand in double precision, what it is applied to and the result.
        return epilogue.apply(self.problem.stages, self._product(),
                              (operand.double() for operand in self.operands))

    def _product(self) -> Tensor:
        x = self.x.double()
        if self.quantization is not None:
            x.sub_(self.quantization.x_zero).mul_(self.quantization.x_scale)
        product = torch.empty(self.problem.rows, self.problem.n, dtype=torch.float64)
        columns = _reference_columns(self.problem)
        for block, rows in zip(product.split(columns, dim=1), self.weight.split(columns)):
            block.copy_(x @ rows.double().T)
        if self.quantization is not None:
            product *= self.quantization.w_scale.double()
        return product


def _reference_columns(problem: Problem) -> int:
    """Of a block."""
    return min(max(_REFERENCE_BLOCK_BYTES // (8 * problem.k), 1), problem.n)


def _bytes_to_make(problem: Problem, types: Types) -> int:
    """Of x and the weight, and of what the reference reads in double precision.

    Both at once: that takes pieces larger than those that the former gives back."""
    converted = types.weight_bytes if types.weight_bytes < _BYTES_OF_F32 else 0
    made = _BYTES_TO_QUANTIZE if types.are_integers else _BYTES_OF_F32 + converted
    evaluated = 8 * problem.k * (problem.rows + _reference_columns(problem))
    return made * (problem.weight_elements + problem.rows * problem.k) + evaluated


def copies_for(problem: Problem, types: Types, last_level_caches: int, memory: int,
               contestants: int, say: Callable[[str], None]) -> int:
    """Copies of the weight for each contestant: one if it is measured warm.

    Says if there are too few for it to be cold, as `memory` bytes or MAX_COPIES allow; raises
    MemoryError if they do not hold what is needed."""
    weight = types.weight_bytes * problem.weight_elements
    results = 4 * problem.rows * (problem.n + problem.k)
    comparing = _BYTES_TO_COMPARE * problem.rows * problem.n
    making = _bytes_to_make(problem, types)
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
