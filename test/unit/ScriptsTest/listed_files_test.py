# Scripts that look at the files that git knows fail where it knows none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FAKES = {"git": "#!/bin/sh\nprintf \"$LISTED\"\n", "clang-format-22": "#!/bin/sh\necho \"$@\"\n"}


class ListedFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "scripts").mkdir()
        for name in ("format", "size_report", "usage.sh"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        (self.root / "a b.cpp").write_text("one\ntwo\n")
        for name, text in FAKES.items():
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)

    def run_script(self, listed, name, *words):
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        return subprocess.run([self.root / "scripts" / name, *words], capture_output=True,
                              text=True, env={**os.environ, "PATH": path, "LISTED": listed})

    def test_files_are_handed_on(self):
        result = self.run_script("a b.cpp\\0", "format", "check")
        self.assertEqual((result.returncode, result.stdout),
                         (0, "--dry-run --Werror a b.cpp\n"), result.stderr)
        self.assertIn("2 lines    1 files  .\n",
                      self.run_script("a b.cpp\\0", "size_report").stdout)

    def test_none_is_a_failure(self):
        for name, *words in (("format", "check"), ("format", "fix"), ("size_report",)):
            with self.subTest(name, words=words):
                result = self.run_script("", name, *words)
                self.assertEqual((result.returncode, result.stdout, result.stderr),
                                 (1, "", f"{name}: git knows no file here\n"))


if __name__ == "__main__":
    unittest.main()
