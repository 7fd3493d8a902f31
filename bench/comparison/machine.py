"""The machine at hand as `lintel doctor` sees it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Sequence

from .process import on_all_cpus


CPUS = Path("/sys/devices/system/cpu")


_UNITS = {"K": 1 << 10, "M": 1 << 20}


def _bytes_of(size: str) -> int:
    """Of "32768K", as the system writes it; raises ValueError for what is none."""
    unit = _UNITS.get(size[-1:])
    return int(size[:-1]) * unit if unit else int(size)


def _last_level_caches(cpus: Sequence[int]) -> list[int]:
    """Bytes of each that these CPUs have, once if they share it; 0 if the system does not say."""
    found = {}
    for cpu in cpus:
        levels = {}
        for cache in (CPUS / f"cpu{cpu}" / "cache").glob("index*"):
            try:
                level = int((cache / "level").read_text())
                sharers = (cache / "shared_cpu_list").read_text().strip()
            except (OSError, ValueError):
                continue
            levels[level] = cache, sharers
        if not levels:
            continue
        cache, sharers = levels[max(levels)]
        try:
            found[sharers] = _bytes_of((cache / "size").read_text().strip())
        except (OSError, ValueError):
            found[sharers] = 0
    return list(found.values())


def _facts_by(tool: Path) -> dict[str, Any]:
    command = [str(tool), "doctor", "--json"]
    # Its exit code also tells of the health of a kernel cache, which does not matter here.
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if not result.stdout:
        raise RuntimeError(f"{' '.join(command)} ended with code {result.returncode}")
    return json.loads(result.stdout)


def usual_threads(tool: Path) -> int:
    """As many as Lintel takes here: CPUs of the affinity mask, at most those of a quota."""
    return _facts_by(tool)["threads"]


class Machine:
    """What the CPU is."""

    def __init__(self, tool: Path) -> None:
        with on_all_cpus():
            self._facts = _facts_by(tool)

    def last_level_caches(self, cpus: Sequence[int]) -> int:
        """Bytes of all that these CPUs have; of the largest caches if there is no third level.

        What Lintel says of caches is that of one CPU's, and of the smallest where they differ."""
        least = max(self._facts["cpu_caches"].values())
        return max(least, sum(max(size, least) for size in _last_level_caches(cpus)))

    @property
    def weight_bits(self) -> int:
        """Of the integers that a weight may hold for every peer to be right.

        Without VNNI or AMX oneDNN and Inductor add two products of u8 and s8 in 16 bits
        (vpmaddubsw), which saturates, and PyTorch's quantization takes a bit less there."""
        exact = ("avx512vnni", "avxvnni", "amx-int8")
        return 8 if any(self._facts["features"][name] for name in exact) else 7

    def description(self) -> dict[str, Any]:
        facts = {key: self._facts[key] for key in ("cpu", "isa", "cores", "cpu_caches")}
        return {**facts, "kernel": os.uname().release}
