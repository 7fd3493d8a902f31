# The folder in which Inductor keeps what it has compiled, after an interrupt or of another user.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import inductor_cache  # noqa: E402


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "ab").mkdir()
        (self.root / "locks").mkdir()

    def library(self, name, size=None):
        """This Python's, or as many bytes of it."""
        path = self.root / "ab" / f"{name}.main.so"
        shutil.copy(sys.executable, path)
        if size is not None:
            os.truncate(path, size)
        return path

    def test_libraries_that_an_interrupt_left_are_removed(self):
        whole = self.library("whole")
        size = whole.stat().st_size
        broken = [self.library(f"broken{part}", part) for part in (0, 10, 64, 4096, size - 1)]
        blank = self.library("blank")
        blank.write_bytes(bytes(size))
        source = whole.with_suffix(".cpp")
        source.touch()
        self.assertEqual(inductor_cache.usable(self.root), self.root)
        self.assertEqual(sorted(whole.parent.iterdir()), sorted([whole, source]), broken)

    def test_one_that_another_process_is_making_stays(self):
        library = self.library("abc", 0)
        with open(self.root / "locks" / "abc.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            inductor_cache.usable(self.root)
            self.assertTrue(library.exists())
        inductor_cache.usable(self.root)
        self.assertFalse(library.exists())

    def test_a_folder_is_made(self):
        folder = self.root / "new" / "one"
        self.assertEqual(inductor_cache.usable(folder), folder)
        self.assertEqual(list(folder.iterdir()), [])

    def test_in_place_of_one_that_cannot_be_written_there_is_one_for_the_process(self):
        program = (f"import sys; sys.path.insert(0, {str(BENCH)!r})\n"
                   "from pathlib import Path\n"
                   "from comparison import inductor_cache\n"
                   "folder = inductor_cache.usable(Path(sys.argv[1]))\n"
                   "(folder / 'ab').mkdir()\n"
                   "print(folder)\n")
        for folder in ("/proc/inductor", "/proc"):
            said = subprocess.run([sys.executable, "-B", "-c", program, folder],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
            self.assertNotEqual(said, folder)
            self.assertFalse(Path(said).exists())


if __name__ == "__main__":
    unittest.main()
