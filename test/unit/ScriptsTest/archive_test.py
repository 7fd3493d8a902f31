# scripts/package leaves an archive of what it has checked, or none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {
    "cmake": """[ "$1" = --install ] || exit 0
mkdir -p "$4/bin" "$4/lib"
touch "$4/bin/lintel" "$4/lib/liblintel.so.0"
""",
    "llvm-readelf-22": """case $1 in
--dynamic-table) echo "0x1 (NEEDED) Shared library: [$NEEDED]" ;;
--version-info) echo GLIBC_2.2.5 ;;
esac
""",
}


class ArchiveTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.tree = self.root / "out" / "lintel-1.2.3-x86_64"
        self.archive = self.tree.with_name(f"{self.tree.name}.tar.xz")
        for name, text in PROGRAMS.items():
            self.program(name, text)
        build = self.root / "build"
        build.mkdir()
        (build / "CMakeCache.txt").write_text("CMAKE_PROJECT_VERSION:STATIC=1.2.3\n")

    def program(self, name, text):
        path = self.root / name
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)

    def package(self, needed="libc.so.6"):
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        return subprocess.run(
            [ROOT / "scripts" / "package", "--built", self.root / "build", self.root / "out"],
            capture_output=True, text=True, env={**os.environ, "PATH": path, "NEEDED": needed})

    def test_what_is_right_is_packed(self):
        result = self.package()
        self.assertEqual(result.returncode, 0, result.stderr)
        with tarfile.open(self.archive) as packed:
            self.assertIn(f"{self.tree.name}/bin/lintel", packed.getnames())
        self.assertEqual(set((self.root / "out").iterdir()), {self.tree, self.archive})

    def test_an_archive_of_before_does_not_outlive_a_failure(self):
        self.package()
        result = self.package("libsurprise.so.1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("needs libsurprise.so.1, which another machine may lack", result.stderr)
        self.assertFalse(self.archive.exists())

    def test_an_archive_that_is_not_finished_is_none(self):
        self.program("xz", "echo some of it\nkill -INT $PPID\nexit 1\n")
        self.assertNotEqual(self.package().returncode, 0)
        self.assertEqual(list((self.root / "out").iterdir()), [self.tree])


if __name__ == "__main__":
    unittest.main()
