"""Interleaved timing of calls that do the same work."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
import gc
import random
import time
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, Callable, Iterator, Mapping, Sequence

Call = Callable[[], Any]
Samples = Mapping[str, float]  # of one round: seconds a call of each entrant

SAMPLE_SECONDS = 2e-3
MAX_BATCH = 4096
# Waking sleeping threads and filling caches takes less than this share of longer calls.
NO_WARM_UP_ABOVE_SECONDS = 20e-3


@dataclass(frozen=True)
class Effort:
    """How long to measure one problem: until `seconds` are over, within limits."""

    seconds: float = 4.0
    min_rounds: int = 5
    max_rounds: int = 200


@dataclass
class Rotation:
    """Whose turn it is among the copies of the weights.

    One position for all entrants: those that share copies must not find in the
    cache what the one before them has just read."""

    position: int = 0

    def take(self, calls: Sequence[Call], count: int) -> list[Call]:
        """The next `count` calls, each on the copy after the one before."""
        start = self.position
        self.position += count
        return [calls[(start + i) % len(calls)] for i in range(count)]


def _seconds_of(sequence: Sequence[Call]) -> float:
    start = time.perf_counter_ns()
    for call in sequence:
        call()
    return (time.perf_counter_ns() - start) * 1e-9


def _sample(calls: Sequence[Call], batch: int, warm_up: bool, rotation: Rotation) -> float:
    if warm_up:
        rotation.take(calls, 1)[0]()
    return _seconds_of(rotation.take(calls, batch)) / batch


def _estimate(calls: Sequence[Call], rotation: Rotation) -> float:
    """Rough seconds of a call; the first call of all is not counted."""
    rotation.take(calls, 1)[0]()
    return min(_seconds_of(rotation.take(calls, 1)) for _ in range(3))


def rounds(entrants: Mapping[str, Sequence[Call]], effort: Effort) -> Iterator[Samples]:
    """Seconds a call of each entrant, round by round, in an order drawn every round.

    So nobody always follows the same one, whose traces in caches and clocks count as its own.
    An entrant is its calls on each copy of the weights: one copy means warm weights."""
    rotation = Rotation()
    estimates = {name: _estimate(calls, rotation) for name, calls in entrants.items()}
    order = list(entrants)
    drawn = random.Random(1)  # the same in every run
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        for number in range(effort.max_rounds):
            if number >= effort.min_rounds and time.perf_counter() - start > effort.seconds:
                break
            drawn.shuffle(order)
            samples = {}
            for name in order:
                seconds = max(estimates[name], 1e-8)
                batch = min(max(round(SAMPLE_SECONDS / seconds), 1), MAX_BATCH)
                samples[name] = _sample(entrants[name], batch,
                                        seconds < NO_WARM_UP_ABOVE_SECONDS, rotation)
            yield samples
    finally:
        gc.enable()


def by_entrant(measured: Sequence[Samples]) -> dict[str, list[float]]:
    """The samples of each entrant, of rounds."""
    return {name: [samples[name] for samples in measured] for name in measured[0]}


def race(entrants: Mapping[str, Sequence[Call]], effort: Effort) -> dict[str, list[float]]:
    """Seconds a call of each entrant, one sample a round."""
    return by_entrant(list(rounds(entrants, effort)))


def quick_seconds(calls: Sequence[Call]) -> float:
    """Seconds a call at its best, to choose between ways of doing the same."""
    return min(race({"": calls}, Effort(seconds=0.1, min_rounds=3, max_rounds=30))[""])


def empty_call_microseconds() -> float:
    """What Python and ctypes add to a call of a C function with eight prepared arguments."""
    arguments = [ctypes.c_int(0), *(ctypes.c_int64(0) for _ in range(7))]
    empty = partial(ctypes.PyDLL(None).abs, *arguments)
    return 1e6 * median(_sample([empty], MAX_BATCH, True, Rotation()) for _ in range(15))
