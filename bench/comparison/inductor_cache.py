"""The folder in which Inductor keeps the code that it has compiled."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import atexit
import fcntl
import shutil
import struct
import tempfile
from pathlib import Path

VARIABLE = "TORCHINDUCTOR_CACHE_DIR"

# Of the header of a 64-bit ELF file: the mark, where the table of sections begins, how large and
# how many its rows are. It is the last that a linker writes, and stands at the end.
_HEADER = struct.Struct("<4s36xQ10xHH2x")


def usable(folder: Path) -> Path:
    """The folder, without libraries that an interrupt left half linked.

    Where it cannot be written, another one, which goes with this process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        temporary = tempfile.mkdtemp(prefix="compare-inductor-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)
    _remove_unfinished(folder)
    return folder


def _remove_unfinished(folder: Path) -> None:
    """Inductor takes for finished what is there, and fails to load it in every later run."""
    for library in folder.glob("*/*.so"):
        try:
            if not _is_whole(library) and not _is_being_made(library, folder):
                library.unlink()
        except OSError:  # somebody else's
            continue


def _is_whole(library: Path) -> bool:
    with library.open("rb") as file:
        header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return False
    mark, sections, row, rows = _HEADER.unpack(header)
    return mark == b"\x7fELF" and 0 < sections + row * rows <= library.stat().st_size


def _is_being_made(library: Path, folder: Path) -> bool:
    """By another process, which holds Inductor's lock of that name meanwhile."""
    try:
        lock = (folder / "locks" / f"{library.name.partition('.')[0]}.lock").open("r+")
    except FileNotFoundError:
        return False
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
