"""The machine at hand as `lintel doctor` sees it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from .process import on_all_cpus


class Machine:
    """What the CPU is."""

    def __init__(self, tool: Path) -> None:
        command = [str(tool), "doctor", "--json"]
        # Its exit code also tells of the health of a kernel cache, which does not matter here.
        with on_all_cpus():
            result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if not result.stdout:
            raise RuntimeError(f"{' '.join(command)} ended with code {result.returncode}")
        self._facts: dict[str, Any] = json.loads(result.stdout)

    @property
    def last_level_cache(self) -> int:
        """Bytes; of the largest cache if there is no third level."""
        return max(self._facts["cpu_caches"].values())

    def description(self) -> dict[str, Any]:
        facts = {key: self._facts[key] for key in ("cpu", "isa", "cores", "cpu_caches")}
        return {**facts, "kernel": os.uname().release}
