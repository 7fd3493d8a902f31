"""The results on stdout, for as long as somebody reads them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import errno
import io
import os
import sys


class Output:
    """What is printed, line by line.

    Where stdout goes away, as behind `| head`, is full or was closed from the start, the first
    line that it does not take is an OSError, unless `optional`: then that and what follows is
    dropped, and `lost` is true. A character that the locale lacks, as µ, becomes a '?'."""

    def __init__(self, optional: bool) -> None:
        self._optional = optional
        self.lost = False
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")

    def show(self, text: str) -> None:
        if self.lost:
            return
        try:
            if sys.stdout is None:  # print() would drop the text in silence
                raise OSError(errno.EBADF, "stdout is closed")
            print(text, flush=True)
        except OSError:
            self.lost = True
            _discard_what_is_left()
            if not self._optional:
                raise


def _discard_what_is_left() -> None:
    """The end of the process would try to write it once more."""
    if sys.stdout is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
