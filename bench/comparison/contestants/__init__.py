"""Those who race: Lintel and its peers, each in a file of its own."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import importlib
from contextlib import closing
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence

from .. import process
from ..element_types import Types
from ..race import Call, quick_seconds, seconds_of_a_call

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from ..layer import Layer

# What x and w may hold (element_types.py).
PEERS = {"eager": ("f32", "bf16", "f16"),
         "inductor": ("f32", "bf16", "f16", "u8s8", "s8s8"),
         "onednn": ("u8s8", "s8s8"),
         "mkl": ("f32",), "openblas": ("f32",), "libxsmm": ("f32",)}
# A way that takes so many times as long as another will not win a longer trial. Reference kernels
# of oneDNN take some thousand times as long as its others: seconds, on each copy of the weight.
HOPELESS = 100
# With one row the memory costs the fast ones more: 150 times there were 2400 with 64 rows.
HOPELESS_WITH_ONE_ROW = 20


@dataclass
class Entry:
    """A contestant ready for one problem.

    `calls` computes the layer, one for each copy of the weight; `result` makes the
    output tensor of what a call returned, or raises; `close` gives everything back.
    `rounded_between`: the type of what one stage leaves to the next, if any is rounded to it."""

    calls: Sequence[Call]
    result: Callable[[Any], Tensor]
    close: Callable[[], None] = lambda: None
    rounded_between: torch.dtype | None = None


Way = Callable[["Layer"], Entry]  # to compute a layer


def checked_error(layer: Layer, entry: Entry, call: Call) -> float:
    """Of one call. Its result is destroyed: the next call may write to the same place."""
    result = entry.result(call())
    error = layer.error(result)
    result.fill_(float("nan"))
    return error


def check(layer: Layer, entry: Entry) -> float:
    """The largest error of its calls; raises if one of them is more than is tolerated."""
    tolerance, largest = layer.tolerance(entry.rounded_between), 0.0
    for call in entry.calls:
        error = checked_error(layer, entry, call)
        # Of each call by itself: max() would drop NaN, the error of an output not written.
        if not error <= tolerance:
            raise ArithmeticError(f"wrong result: off by {error:.1e}, "
                                  f"tolerated is {tolerance:.1e}")
        largest = max(largest, error)
    return largest


def fastest_entry(layer: Layer, ways: Sequence[Way]) -> Entry:
    """The fastest of several ways to compute a layer right; raises why not if none does.

    One that is hopeless beside those before it is not checked: give the safe ones first."""
    fastest, least = None, inf
    failure: Exception = RuntimeError("there is no way to compute it")
    for way in ways:
        entry = None
        try:
            entry = way(layer)
            seconds = _seconds_if_right(layer, entry, HOPELESS * least)
        except Exception as error:  # another way may work
            failure, seconds = error, inf
        if seconds < least:
            entry, fastest, least = fastest, entry, seconds
        if entry is not None:
            entry.close()
    if fastest is None:
        raise failure
    return fastest


def _seconds_if_right(layer: Layer, entry: Entry, limit: float) -> float:
    """Of a call; raises if one is wrong. Infinite, and nothing is looked at, above the limit."""
    with process.on_first_cpu():  # as the race will be
        if seconds_of_a_call(entry, limit) > limit:
            return inf
    check(layer, entry)
    with process.on_first_cpu():
        return quick_seconds(entry)


def without_hopeless(layer: Layer, ways: Sequence[Way]) -> list[Way]:
    """Those that do not take many times as long as another for the layer's first row.

    For ways that are cheap to prepare: each is, for a single copy of the weight. One that fails
    stays, so that fastest_entry() can say why."""
    trial = layer.first_row()
    seconds: list[float] = []
    for way in ways:
        try:
            with closing(way(trial)) as entry, process.on_first_cpu():
                check(trial, entry)
                seconds.append(seconds_of_a_call(entry, 0))
        except Exception:  # no measure for others
            seconds.append(0.0)
    least = min(filter(None, seconds), default=inf)
    return [way for way, one in zip(ways, seconds) if one <= HOPELESS_WITH_ONE_ROW * least]


class Contestant(Protocol):
    """Made once; `version` says what it is."""

    version: str

    def enter(self, layer: Layer) -> Entry:
        """Packs, tunes and compiles all that can be done ahead of a call."""


def why_not(name: str, types: Types) -> str | None:
    """What keeps a peer from computing layers of these types, if anything does."""
    if types.inputs in PEERS[name]:
        return None
    return f"it computes {', '.join(PEERS[name])} and not {types.inputs}"


def create_peer(name: str) -> Contestant:
    """The peer of that name; raises what keeps it from running."""
    return importlib.import_module(f"{__name__}.{name}").create()
