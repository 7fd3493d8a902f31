"""Those who race: Lintel and its peers, each in a file of its own."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence

from ..race import Call

if TYPE_CHECKING:
    from torch import Tensor

    from ..layer import Layer

PEERS = ("eager", "inductor", "mkl", "openblas", "libxsmm")


@dataclass
class Entry:
    """A contestant ready for one problem.

    `calls` computes the layer, one for each copy of the weight; `result` makes the
    output tensor of what a call returned, or raises; `close` gives everything back."""

    calls: Sequence[Call]
    result: Callable[[Any], Tensor]
    close: Callable[[], None] = lambda: None


class Contestant(Protocol):
    """Made once; `version` says what it is."""

    version: str

    def enter(self, layer: Layer) -> Entry:
        """Packs, tunes and compiles all that can be done ahead of a call."""


def create_peer(name: str) -> Contestant:
    """The peer of that name; raises what keeps it from running."""
    return importlib.import_module(f"{__name__}.{name}").create()
