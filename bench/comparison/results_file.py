"""The file that takes the results, or the stream that is named as one."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

# Where the system shows what a process has opened, once links are followed.
_DESCRIPTORS = re.compile(r"/proc/[0-9]+(?:/task/[0-9]+)?/fd")
_MOST_LINKS = 40  # as the system follows


def check_can_be_written(path: Path) -> None:
    """Raises OSError now, rather than when everything is measured; leaves no file behind."""
    try:
        path.stat()
    except FileNotFoundError:
        # Where a link leads to, so that the link stays; by whoever makes the file first.
        target = path.resolve()
        target.open("x").close()
        target.unlink()
        return
    shown = _shown_descriptor(path)
    if shown is not None and _is_of_this_process(shown):
        os.write(int(shown.name), b"")
    elif path.is_file() or path.is_dir():  # others may notice that they are opened
        path.open("a").close()


def can_be_replaced(path: Path) -> bool:
    """Whether it may be written again and again; else all goes into it at once."""
    return not path.exists() or path.is_file() and _shown_descriptor(path) is None


def write_whole(path: Path, text: str) -> None:
    """Raises OSError if it cannot be, and then leaves an older file as it was.

    But where no file can be made beside it, which is then written in place, and where it is none
    or is named by a descriptor: then what was written there before stays."""
    if not can_be_replaced(path):
        _append(path, text)
        return
    target = path.resolve()  # a link stays
    try:
        descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=".compare-")
    except OSError:  # of a folder that is not ours, though the file may be
        target.write_text(text, encoding="utf-8")
        return
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(part, _mode_of(target))
        os.replace(part, target)
    except BaseException:  # an interrupt, too
        Path(part).unlink(missing_ok=True)
        raise


def _append(path: Path, text: str) -> None:
    shown = _shown_descriptor(path)
    if shown is None:
        path.write_text(text, encoding="utf-8")
        return
    # What this process has opened is at its place in the file, behind the table printed there.
    with (open(os.dup(int(shown.name)), "w", encoding="utf-8") if _is_of_this_process(shown)
          else open(shown, "a", encoding="utf-8")) as stream:
        stream.write(text)


def _shown_descriptor(path: Path) -> Path | None:
    """/proc/PID/fd/NUMBER where the path leads there, as /dev/stdout and /dev/fd/3 do."""
    for _ in range(_MOST_LINKS):
        path = path.parent.resolve() / path.name
        if _DESCRIPTORS.fullmatch(str(path.parent)):
            return path
        if not path.is_symlink():
            return None
        path = path.parent / os.readlink(path)
    return None


def _is_of_this_process(shown: Path) -> bool:
    return shown.parts[2] == str(os.getpid())


def _mode_of(target: Path) -> int:
    """Of the file, or of any new one."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
