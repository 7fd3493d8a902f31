# scripts/package leaves an archive of what it has checked, or none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import fcntl
import os
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {
    "cmake": """[ "$1" = --install ] || exit 0
mkdir -p "$DESTDIR$4/bin" "$DESTDIR$4/lib"
touch "$DESTDIR$4/bin/lintel" "$DESTDIR$4/lib/liblintel.so.0"
chmod 700 "$DESTDIR$4/bin/lintel"
""",
    "llvm-readelf-22": """case $1 in
--dynamic-table) echo "0x1 (NEEDED) Shared library: [$NEEDED]" ;;
--version-info) echo "$VERSIONS" ;;
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
        self.configure()

    def configure(self, name="Lintel", tests="ON", sanitizer=""):
        (self.root / "build" / "CMakeCache.txt").write_text(
            f"CMAKE_PROJECT_NAME:STATIC={name}\nCMAKE_PROJECT_VERSION:STATIC=1.2.3\n"
            f"LINTEL_BUILD_TESTS:BOOL={tests}\nLINTEL_SANITIZER:STRING={sanitizer}\n")

    def program(self, name, text):
        path = self.root / name
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)

    def package(self, needed="libc.so.6", versions="GLIBC_2.2.5 GLIBC_2.34 GLIBC_2.3", umask=0o022,
                **variables):
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        return subprocess.run(
            [ROOT / "scripts" / "package", "--built", self.root / "build", self.root / "out"],
            capture_output=True, text=True, umask=umask,
            env={**os.environ, "PATH": path, "NEEDED": needed, "VERSIONS": versions, **variables})

    def check_refusal(self, said, code=1, **arguments):
        result = self.package(**arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(said, result.stderr)
        self.assertFalse(self.archive.exists())

    def test_what_is_right_is_packed(self):
        result = self.package()
        self.assertEqual(result.returncode, 0, result.stderr)
        with tarfile.open(self.archive) as packed:
            self.assertIn(f"{self.tree.name}/bin/lintel", packed.getnames())
        self.assertEqual(set((self.root / "out").iterdir()), {self.tree, self.archive})

    def test_an_archive_of_before_does_not_outlive_a_failure(self):
        self.package()
        self.assertTrue(self.archive.exists())
        self.check_refusal("needs libsurprise.so.1, which another machine may lack",
                           needed="libsurprise.so.1")

    def test_a_glibc_that_is_too_new_or_not_known_is_refused(self):
        self.check_refusal("the programs need GLIBC_2.41; build on a machine with GLIBC_2.36",
                           versions="GLIBC_2.41 GLIBC_2.2.5")
        self.check_refusal("nothing is known of the glibc that the programs need", versions="")

    def test_who_packs_does_not_change_what_is_packed(self):
        result = self.package(umask=0o077)
        self.assertEqual(result.returncode, 0, result.stderr)
        with tarfile.open(self.archive) as packed:
            modes = {member.name: member.mode for member in packed}
        top = self.tree.name
        self.assertEqual(modes, {top: 0o755, f"{top}/bin": 0o755, f"{top}/lib": 0o755,
                                 f"{top}/bin/lintel": 0o755, f"{top}/lib/liblintel.so.0": 0o644})

    def test_variables_of_its_tools_change_nothing(self):
        result = self.package(DESTDIR=str(self.root / "stage"), TAR_OPTIONS="--exclude=lib",
                              XZ_OPT="--format=raw", XZ_DEFAULTS="--nonsense")
        self.assertEqual(result.returncode, 0, result.stderr)
        with tarfile.open(self.archive) as packed:
            self.assertIn(f"{self.tree.name}/lib/liblintel.so.0", packed.getnames())

    def test_one_run_at_a_time_fills_a_folder(self):
        (self.root / "out").mkdir()
        folder = os.open(self.root / "out", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        self.check_refusal("another scripts/package is at work in")

    def test_builds_without_a_package_are_refused(self):
        for said, code, cache in (("is without the tests, which", 1, {"tests": "OFF"}),
                                  ("has LINTEL_SANITIZER=thread, and", 1, {"sanitizer": "thread"}),
                                  ("the folder of a build of Lintel, not", 2, {"name": "Other"})):
            self.configure(**cache)
            self.check_refusal(said, code)
        (self.root / "build" / "CMakeCache.txt").unlink()
        self.check_refusal("the folder of a build of Lintel, not", 2)
        self.assertFalse((self.root / "out").exists())

    def test_a_build_that_fails_is_said(self):
        self.program("cmake", "exit 1\n")
        self.check_refusal("build cannot be built")

    def test_an_archive_that_is_not_finished_is_none(self):
        self.program("xz", "echo some of it\nkill -INT $PPID\nexit 1\n")
        self.assertNotEqual(self.package().returncode, 0)
        self.assertEqual(list((self.root / "out").iterdir()), [self.tree])


if __name__ == "__main__":
    unittest.main()
