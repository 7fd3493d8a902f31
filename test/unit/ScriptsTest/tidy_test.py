# scripts/tidy looks at the files that it is asked for, and fails where there are none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Keeps the words that it is called with.
FAKE_TIDY = """#!/bin/sh
printf '%s\\n' "$@" >"$(dirname "$0")/words"
"""


class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "c++ (new)"
        for name in ("scripts", "build"):
            (self.root / name).mkdir(parents=True)
        for name in ("tidy", "usage.sh"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        self.write("run-clang-tidy-22", FAKE_TIDY).chmod(0o755)
        self.write("build/compile_commands.json", json.dumps(
            [{"file": str(self.root / path)} for path in ("lib/A/B.cpp", "test/lib/C.cpp")]))

    def write(self, name, text):
        path = self.root / name
        path.write_text(text)
        return path

    def tidy(self, *words):
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        return subprocess.run([self.root / "scripts" / "tidy", *words], capture_output=True,
                              text=True, env={**os.environ, "PATH": path})

    def pattern(self, *words):
        """The expression that run-clang-tidy is called with."""
        result = self.tidy(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.root / "words").read_text().splitlines()[-1]

    def test_the_default_is_what_is_in_this_folder(self):
        pattern = self.pattern()
        self.assertTrue(re.search(pattern, str(self.root / "lib/A/B.cpp")))
        self.assertFalse(re.search(pattern, str(self.root / "test/lib/C.cpp")))

    def test_an_expression_goes_on_as_it_is(self):
        self.assertEqual(self.pattern("lib/.*\\.cpp"), "lib/.*\\.cpp")

    def test_what_matches_nothing_is_no_success(self):
        for word, said in (("nonsuch", "the path of no source file matches 'nonsuch'"),
                           ("(", "'(' is no regular expression")):
            result = self.tidy(word)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"tidy: {said}", result.stderr)
            self.assertFalse((self.root / "words").exists())


if __name__ == "__main__":
    unittest.main()
