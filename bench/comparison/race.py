"""Interleaved timing of calls that do the same work."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
import gc
import math
import random
import time
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, Callable, ContextManager, Iterator, Mapping, Protocol, Sequence

Call = Callable[[], Any]
Samples = Mapping[str, float]  # of one round: seconds a call of each entrant

SAMPLE_SECONDS = 2e-3
MAX_BATCH = 4096
# Waking sleeping threads and filling caches takes less than this share of longer calls.
NO_WARM_UP_ABOVE_SECONDS = 20e-3
# A time slice of another program is 4 ms, and the first call of a oneDNN primitive takes as many.
LONG_CALL_SECONDS = 0.1


class Entrant(Protocol):
    """Calls on each copy of the weights: one copy means warm weights.

    `result` raises if a call that returned this has failed."""

    calls: Sequence[Call]
    result: Callable[[Any], Any]


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


def _timed(sequence: Sequence[Call]) -> tuple[float, Any]:
    """Seconds of all, and what the last one returned.

    What the others return is dropped at once, so that the next one finds the memory free."""
    *others, last = sequence
    start = time.perf_counter_ns()
    for call in others:
        call()
    returned = last()
    return (time.perf_counter_ns() - start) * 1e-9, returned


def _seconds(entrant: Entrant, batch: int, rotation: Rotation) -> float:
    """Of a call, of so many. Raises if the last one failed, which is seen when time is up."""
    seconds, returned = _timed(rotation.take(entrant.calls, batch))
    entrant.result(returned)
    return seconds / batch


def _sample(entrant: Entrant, batch: int, warm_up: bool, rotation: Rotation) -> float:
    if warm_up:
        _seconds(entrant, 1, rotation)
    return _seconds(entrant, batch, rotation)


def _estimate(entrant: Entrant, rotation: Rotation) -> float:
    """Rough seconds of a call; the first call of all is not counted."""
    _seconds(entrant, 1, rotation)
    return min(_seconds(entrant, 1, rotation) for _ in range(3))


def rounds(entrants: Mapping[str, Entrant], effort: Effort,
           attempt: Callable[[str], ContextManager[None]] = nullcontext) -> Iterator[Samples]:
    """Seconds a call of each entrant, round by round, in an order drawn every round.

    So nobody always follows the same one, whose traces in caches and clocks count as its own.
    Whose calls fail is out of the race if `attempt`, around every turn, takes the exception."""
    rotation = Rotation()
    entrants = dict(entrants)  # `attempt` may take one away there
    estimates: dict[str, float] = {}
    for name, entrant in entrants.items():
        with attempt(name):
            estimates[name] = _estimate(entrant, rotation)
    order = list(estimates)
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
                with attempt(name):
                    samples[name] = _sample(entrants[name], batch,
                                            seconds < NO_WARM_UP_ABOVE_SECONDS, rotation)
            order = [name for name in order if name in samples]
            yield samples
    finally:
        gc.enable()


def by_entrant(measured: Sequence[Samples]) -> dict[str, list[float]]:
    """The samples of each entrant that is in all of these rounds."""
    return {name: [samples[name] for samples in measured] for name in measured[-1]}


def race(entrants: Mapping[str, Entrant], effort: Effort,
         attempt: Callable[[str], ContextManager[None]] = nullcontext) -> dict[str, list[float]]:
    """Seconds a call of each entrant that did not fail, one sample a round (rounds())."""
    return by_entrant(list(rounds(entrants, effort, attempt)))


def quick_seconds(entrant: Entrant) -> float:
    """Seconds a call at its best, to choose between ways of doing the same."""
    return min(race({"": entrant}, Effort(seconds=0.1, min_rounds=3, max_rounds=30))[""])


def seconds_of_a_call(entrant: Entrant, enough: float) -> float:
    """Rough seconds of a call: the least of three, or the first that is not over `enough`.

    A long one counts at once: neither what is made once nor an interruption is most of it."""
    rotation, least = Rotation(), math.inf
    for _ in range(3):
        least = min(least, _seconds(entrant, 1, rotation))
        if least <= enough or least > LONG_CALL_SECONDS:
            break
    return least


def empty_call_microseconds() -> float:
    """What Python and ctypes add to a call of a C function with eight prepared arguments."""
    arguments = [ctypes.c_int(0), *(ctypes.c_int64(0) for _ in range(7))]
    empty = partial(ctypes.PyDLL(None).abs, *arguments)
    return 1e6 * median(_timed([empty] * MAX_BATCH)[0] / MAX_BATCH for _ in range(15))
