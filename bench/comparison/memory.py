"""How much memory there is to be had, on the machine and in this process's control groups."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# As lib/Target/ControlGroup.cpp and lib/Target/FreeMemory.cpp find it.
from __future__ import annotations

import ctypes
import gc
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator


@dataclass(frozen=True)
class _Version:
    """The files of one version of control groups, and what of memory.stat can be dropped."""

    limit: str
    usage: str
    droppable: tuple[str, ...]


_V1 = _Version("memory.limit_in_bytes", "memory.usage_in_bytes",
               ("total_inactive_file", "total_active_file"))
_V2 = _Version("memory.max", "memory.current",
               ("inactive_file", "active_file", "slab_reclaimable"))


def available_memory() -> int:
    """Bytes that can be had without swapping, once what this process has freed is given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
    return min([_left_on_machine(), *left_in_groups()])


def left_in_groups(root: str = "") -> list[int]:
    """What the limits leave of the groups that this process is in; none without a limit."""
    left = []
    for version, group, point in _mounts(root):
        below = _below_mount(_group_of_process(root, version), group)
        while True:
            left += _left_in(Path(f"{root}{point}{below}"), version)
            if not below:
                break
            below = below.rpartition("/")[0]
    return left


def _left_on_machine() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/meminfo has no line MemAvailable")


def _left_in(folder: Path, version: _Version) -> list[int]:
    """Of one group; nothing if it has no limit ("max")."""
    try:
        left = (int((folder / version.limit).read_text())
                - int((folder / version.usage).read_text()))
    except (OSError, ValueError):
        return []
    return [max(0, left + _droppable(folder, version))]


def _droppable(folder: Path, version: _Version) -> int:
    """Files that the group has cached, which the kernel gives up when memory is needed."""
    numbers = (line.split() for line in _lines(folder / "memory.stat"))
    return sum(int(words[1]) for words in numbers if words[0] in version.droppable)


def _mounts(root: str) -> Iterator[tuple[_Version, str, str]]:
    """Version, group at the mount point and mount point of what limits memory."""
    for line in _lines(Path(f"{root}/proc/self/mountinfo")):
        before, _, after = line.partition(" - ")
        _, _, _, group, point, *_ = before.split()
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup2":
            yield _V2, group, point
        elif kind == "cgroup" and "memory" in options.split(","):
            yield _V1, group, point


def _group_of_process(root: str, version: _Version) -> str:
    """ID:CONTROLLERS:GROUP, with no controllers for version 2."""
    for line in _lines(Path(f"{root}/proc/self/cgroup")):
        _, controllers, group = line.split(":", 2)  # a group may be called a:b
        if not controllers if version is _V2 else "memory" in controllers.split(","):
            return group
    return "/"


def _below_mount(group: str, shown: str) -> str:
    """The path of the group below a mount point that shows `shown`: "" for that itself."""
    shown = shown.rstrip("/")
    below = group[len(shown):]
    inside = group.startswith(shown) and below.startswith("/") and below != "/"
    return below if inside and "/.." not in group else ""


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
