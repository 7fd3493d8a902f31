"""Those who race: Lintel and its peers, each in a file of its own."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Protocol, Sequence

from .. import process
from ..element_types import Types
from ..race import Call, quick_seconds

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from ..layer import Layer

# What x and w may hold (element_types.py).
PEERS = {"eager": ("f32", "bf16", "f16"),
         "inductor": ("f32", "bf16", "f16", "u8s8", "s8s8"),
         "onednn": ("u8s8", "s8s8"),
         "mkl": ("f32",), "openblas": ("f32",), "libxsmm": ("f32",)}


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


def right_entries(layer: Layer, ways: Sequence[Callable[[], Entry]]) -> Iterator[Entry]:
    """Those of several ways to compute a layer that do; raises why not if none does."""
    found = False
    failure: Exception = RuntimeError("there is no way to compute it")
    for way in ways:
        entry = None
        try:
            entry = way()
            check(layer, entry)
        except Exception as error:  # another way may work
            failure = error
            if entry is not None:
                entry.close()
            continue
        found = True
        yield entry
    if not found:
        raise failure


def fastest_entry(layer: Layer, ways: Sequence[Callable[[], Entry]]) -> Entry:
    """The fastest of several ways to compute a layer right."""
    fastest, least = None, float("inf")
    for entry in right_entries(layer, ways):
        with process.on_first_cpu():  # as the race will be
            seconds = quick_seconds(entry)
        if fastest is not None and seconds >= least:
            entry.close()
            continue
        if fastest is not None:
            fastest.close()
        fastest, least = entry, seconds
    assert fastest is not None, "right_entries raises"
    return fastest


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
