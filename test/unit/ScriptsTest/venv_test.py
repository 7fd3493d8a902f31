# scripts/venv installs once, whoever else asks; a test is skipped only for what cannot be
# downloaded.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Makes an environment, slowly, and fails if another one is being made.
FAKE_PYTHON = """#!/bin/sh
[ "$BROKEN" = venv ] && exit 1
mkdir busy || exit 1
echo >>made
rm -rf .venv-demo
mkdir -p .venv-demo/bin
sleep 0.3
cp environment .venv-demo/bin/python
rmdir busy
"""
# The environment's: has packages once pip has installed wheels.
FAKE_ENVIRONMENT = """#!/bin/sh
case "$*" in
-c*) [ -e .venv-demo/packages ] ;;
*" download "*) [ "$BROKEN" != download ] && touch .venv-demo/wheels/a.whl ;;
*" install "*) [ "$BROKEN" != install ] && touch .venv-demo/packages ;;
*) echo "the test" ;;
esac
"""


class VenvTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path in ("scripts/venv", "scripts/usage.sh", "test/integration/model_layers/run"):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)
        for name, text in (("python3", FAKE_PYTHON), ("environment", FAKE_ENVIRONMENT)):
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)

    def start(self, path, *words, broken=""):
        search = os.pathsep.join([str(self.root), os.environ["PATH"]])
        return subprocess.Popen([self.root / path, *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "PATH": search, "BROKEN": broken})

    def run_test(self, broken):
        process = self.start("test/integration/model_layers/run", "a_test.py", broken=broken)
        said, _ = process.communicate(timeout=30)
        return process.returncode, said

    def test_of_two_at_once_one_installs(self):
        processes = [self.start("scripts/venv") for _ in range(2)]
        for process in processes:
            _, said = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual((self.root / "made").read_text(), "\n")

    def test_what_was_interrupted_is_not_finished(self):
        for folder in ("bin", "wheels"):
            (self.root / ".venv-demo" / folder).mkdir(parents=True)
        (self.root / ".venv-demo" / "packages").touch()
        shutil.copy(self.root / "environment", self.root / ".venv-demo" / "bin" / "python")
        process = self.start("scripts/venv")
        _, said = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual((self.root / "made").read_text(), "\n")

    def test_only_what_cannot_be_downloaded_is_skipped(self):
        self.assertEqual(self.run_test("venv")[0], 1)
        self.assertEqual(self.run_test("download")[0], 77)
        self.assertEqual(self.run_test("install")[0], 1)
        self.assertEqual(self.run_test(""), (0, "the test\n"))


if __name__ == "__main__":
    unittest.main()
