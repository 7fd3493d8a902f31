"""Who takes part in the race of one problem."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Callable, Collection, Iterator, Mapping, Sequence

from .contestants import Contestant, Entry, check, create_peer, why_not
from .element_types import Types

if TYPE_CHECKING:
    from .layer import Layer


def reason_of(error: BaseException) -> str:
    """The one line of it that says most."""
    lines = [line.strip() for line in str(error).strip().splitlines()]
    if not lines:
        return _with_place(error, [f"{type(error).__name__}:"])
    # PyTorch names the cause on the line after "... raised:".
    if lines[0].endswith("raised:") and len(lines) > 1:
        return f"{lines[0]} {_with_place(error, lines[1:])}"
    return _with_place(error, lines)


def _with_place(error: BaseException, lines: Sequence[str]) -> str:
    """The first line; if that names an error without a message, where it was raised."""
    # By itself or as what PyTorch was told. Behind an assertion's name PyTorch says what it was
    # at, not what was wrong.
    names = re.fullmatch(r"(?:\w+: )*(\w+):", lines[0])
    if names and (len(lines) == 1 or names[1] == "AssertionError"):
        return f"{lines[0][:-1]} in {_place_of(error, names[1])}"
    return " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]


def _place_of(error: BaseException, name: str) -> str:
    """Where the error of that name was raised: this one, or a cause of it."""
    seen: list[BaseException] = []
    while type(error).__name__ != name and error not in seen:
        seen.append(error)
        error = error.__cause__ or (not error.__suppress_context__ and error.__context__) or error
    frames = extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown code"


def able_peers(names: Sequence[str], types: Types,
               say: Callable[[str], None]) -> dict[str, Contestant]:
    """The peers that can run here, each once; `say` is told why others are left out."""
    peers: dict[str, Contestant] = {}
    for name in dict.fromkeys(names):
        reason = why_not(name, types)
        if reason is None:
            try:
                peers[name] = create_peer(name)
                continue
            except Exception as error:  # whatever a peer does, the others go on
                reason = reason_of(error)
        say(f"{name} is left out: {reason}")
    return peers


class Field:
    """Everyone who computes the layer right, as far as is known; `errors` is theirs.

    One of `peers` who fails is left out, which `say` is told; failures of others are raised."""

    def __init__(self, layer: Layer, peers: Collection[str], say: Callable[[str], None]) -> None:
        self.entries: dict[str, Entry] = {}
        self.errors: dict[str, float] = {}
        self._layer = layer
        self._peers = peers
        self._say = say

    def assemble(self, contestants: Mapping[str, Contestant]) -> None:
        for name, contestant in contestants.items():
            with self.attempt(name):
                self.entries[name] = contestant.enter(self._layer)
                self.errors[name] = check(self._layer, self.entries[name])

    def check_again(self) -> None:
        """After the race, which does not look at outputs."""
        for name, entry in list(self.entries.items()):
            with self.attempt(name):
                self.errors[name] = max(self.errors[name], check(self._layer, entry))

    def close(self) -> None:
        for entry in self.entries.values():
            entry.close()

    @contextmanager
    def attempt(self, name: str) -> Iterator[None]:
        """At what a contestant does; a peer that fails at it is left out."""
        try:
            yield
        except Exception as error:  # whatever a peer does, the others go on
            if name not in self._peers:
                raise RuntimeError(f"{name}: {reason_of(error)}") from error
            if name in self.entries:
                self.entries.pop(name).close()
            self._say(f"{self._layer.problem.text}: {name} is left out: {reason_of(error)}")
