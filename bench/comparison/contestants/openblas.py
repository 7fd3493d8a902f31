"""Debian's OpenBLAS, the build that uses OpenMP; it cannot pack weights ahead."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from .. import environment
from ..layer import Layer
from . import Contestant, Entry
from .blas import Blas, fastest_product


_VARIABLE = "OPENBLAS_CORETYPE"
# What OpenBLAS has kernels for where it does not know a CPU: SSE3.
_FALLBACK = "Prescott"
# Of what newer CPUs have, and what OpenBLAS has kernels for then, the best first.
_CORES = (("avx512vl", "SkylakeX"), ("avx2", "Haswell"))
_ASK = "import ctypes, sys; f = ctypes.PyDLL(sys.argv[1]).openblas_get_corename; " \
       "f.restype = ctypes.c_char_p; print(f().decode())"


def core_instead(chosen: str, flags: set[str]) -> str | None:
    """The core to name to an OpenBLAS that took CPUs with these flags for `chosen`.

    Debian 12's does not know Emerald Rapids."""
    if chosen != _FALLBACK:
        return None
    return next((core for flag, core in _CORES if flag in flags), None)


def _cpu_flags() -> set[str]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.partition(":")[2].split())
    return set()


def _choose_core() -> None:
    """OpenBLAS chooses as it is loaded, once in a process; so another one asks it before."""
    if _VARIABLE in os.environ:
        return
    # Why it does not load, if it does not, is said where it is loaded in earnest.
    asked = subprocess.run([sys.executable, "-c", _ASK, str(environment.OPENBLAS)],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if core := core_instead(asked.stdout.strip(), _cpu_flags()):
        os.environ[_VARIABLE] = core


class OpenBlas:
    """sgemm, or sgemv for one row or column where that is faster."""

    def __init__(self) -> None:
        _choose_core()
        library = ctypes.PyDLL(str(environment.OPENBLAS))
        library.openblas_get_config.restype = ctypes.c_char_p
        library.openblas_get_corename.restype = ctypes.c_char_p
        words = library.openblas_get_config().decode().split()
        self.version = f"{words[1]} {library.openblas_get_corename().decode()}"
        self._blas = Blas(library)

    def enter(self, layer: Layer) -> Entry:
        return fastest_product(layer, self._blas.products(layer))


def create() -> Contestant:
    return OpenBlas()
