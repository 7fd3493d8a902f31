"""The data of one problem, the same for all contestants."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import torch
from torch import Tensor

from . import epilogue
from .problems import Problem

COLD_UP_TO_ROWS = 32
# Weights are cold if this many last-level caches were read since they were used last.
COLD_CACHES = 3
MAX_COPIES = 1024
# Columns of the reference at a time: bounds the memory of the double precision weight.
_REFERENCE_COLUMNS = 4096
_EPSILON = torch.finfo(torch.float32).eps
# Rounding errors of a right kernel are far below this many units in the last place of sqrt(K)
# additions; a term that is missing or wrong is far above.
_TOLERATED_ROUNDINGS = 16


class Layer:
    """x, the weight and its copies, the epilogue's operands and the true result."""

    def __init__(self, problem: Problem, copies: int) -> None:
        self.problem = problem
        self.copies = copies
        generator = torch.Generator().manual_seed(1)

        def uniform(*shape: int) -> Tensor:
            return torch.empty(shape).uniform_(-1, 1, generator=generator)

        self.x = uniform(problem.rows, problem.k)
        # Sums have a standard deviation of 1, so that no activation is saturated.
        self.weight = uniform(problem.n, problem.k).mul_(3 / problem.k**0.5)
        self.operands = [
            uniform(problem.n) if stage.name == "bias" else uniform(problem.rows, problem.n)
            for stage in problem.stages if stage.reads_operand]
        self._weights: list[Tensor] = []
        self._reference = self._evaluate()

    def weights(self) -> list[Tensor]:
        """The copies of the unpacked weight, shared by all who use it as it is."""
        if not self._weights:
            self._weights = [self.weight] + [self.weight.clone() for _ in range(1, self.copies)]
        return self._weights

    def new_output(self) -> Tensor:
        """For contestants that write into memory of the caller's."""
        return torch.full((self.problem.rows, self.problem.n), float("nan"))

    def error(self, result: Tensor) -> float:
        """The largest difference from the float64 result, relative to the largest true value."""
        if result.shape != self._reference.shape:
            return float("inf")
        difference = (result.double() - self._reference).abs().max().item()
        return difference / max(self._reference.abs().max().item(), 1.0)

    @property
    def tolerance(self) -> float:
        return _TOLERATED_ROUNDINGS * _EPSILON * self.problem.k**0.5

    def _evaluate(self) -> Tensor:
        x = self.x.double()
        blocks = [x @ rows.double().T for rows in self.weight.split(_REFERENCE_COLUMNS)]
        operands = [operand.double() for operand in self.operands]
        return epilogue.apply(self.problem.stages, torch.cat(blocks, dim=1), operands)


def copies_for(problem: Problem, last_level_cache: int, memory: int, contestants: int) -> int:
    """Copies of the weight for each contestant: one if it is measured warm.

    Raises MemoryError if `memory` bytes do not hold what is needed."""
    weight = 4 * problem.weight_elements
    results = 4 * problem.rows * (problem.n + problem.k)
    # Each contestant has its own, the original comes on top, and packing takes room for a while.
    affordable = (memory - results * (contestants + 4)) // (weight * (contestants + 2))
    wanted = 1
    if problem.rows <= COLD_UP_TO_ROWS:
        wanted = min(max(-(-COLD_CACHES * last_level_cache // weight), 2), MAX_COPIES)
    # A weight of that size drives itself out of the cache.
    needed = 1 if weight >= COLD_CACHES * last_level_cache else min(wanted, 2)
    if affordable < needed:
        raise MemoryError(f"{memory >> 20} MiB of memory do not hold {contestants} contestants "
                          f"with weights of {weight >> 20} MiB")
    return min(wanted, affordable)
