"""Those who race: Lintel and its peers, each in a file of its own."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence

from ..element_types import Types
from ..race import Call

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
    `precision`: what is rounded to on the way, if not to the result's type."""

    calls: Sequence[Call]
    result: Callable[[Any], Tensor]
    close: Callable[[], None] = lambda: None
    precision: torch.dtype | None = None


def checked_error(layer: Layer, entry: Entry, call: Call) -> float:
    """Of one call. Its result is destroyed: the next call may write to the same place."""
    result = entry.result(call())
    error = layer.error(result)
    result.fill_(float("nan"))
    return error


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
