# Imported first by tests that need PyTorch: takes that of .venv-bench where there is no
# other, and skips the test where there is none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))
from comparison import environment  # noqa: E402

if find_spec("torch") is None and environment.PYTHON.exists():
    os.execv(environment.PYTHON, [environment.PYTHON, "-B", "-W", "ignore", *sys.argv])
if find_spec("torch") is None:
    print("skipped: there is no PyTorch, and bench/compare.py has installed none")
    sys.exit(77)
