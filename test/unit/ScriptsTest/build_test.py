# scripts/build configures with the flags that it is given.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Keeps the words that it is first called with.
FAKE_CMAKE = """#!/bin/sh
[ -e "$(dirname "$0")/words" ] || printf '%s\\n' "$@" >"$(dirname "$0")/words"
"""


class BuildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(ROOT / "CMakePresets.json", self.root)
        for name in ("build", "usage.sh"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        for name, text in (("scripts/setup", "#!/bin/sh\n"), ("ccache", "#!/bin/sh\n"),
                           ("cmake", FAKE_CMAKE)):
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)

    def configured(self, **variables):
        """What cmake is called with to configure."""
        environment = {name: value for name, value in os.environ.items() if name != "CXXFLAGS"}
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        result = subprocess.run([self.root / "scripts" / "build"], capture_output=True, text=True,
                                env={**environment, "PATH": path, **variables})
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.root / "words").read_text().splitlines()

    def test_flags_of_the_environment_are_kept(self):
        self.assertIn("-DCMAKE_CXX_FLAGS=-Xclang -fno-pch-timestamp -march=znver3 -g",
                      self.configured(CXXFLAGS="-march=znver3 -g"))

    def test_without_them_there_are_its_own(self):
        self.assertIn("-DCMAKE_CXX_FLAGS=-Xclang -fno-pch-timestamp", self.configured())


if __name__ == "__main__":
    unittest.main()
