# The file that --json names, and what is none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import results_file  # noqa: E402


class FileTest(unittest.TestCase):
    def test_a_folder_that_takes_no_file_has_it_written_in_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            path.write_text("older and longer")
            with mock.patch.object(results_file.tempfile, "mkstemp", side_effect=PermissionError):
                results_file.write_whole(path, "newer")
            self.assertEqual(path.read_text(), "newer")

    def test_a_write_that_fails_leaves_the_older_file_alone(self):
        for failure in (OSError("full"), KeyboardInterrupt()):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "results.json"
                path.write_text("older")
                with mock.patch.object(results_file.os, "replace", side_effect=failure), \
                        self.assertRaises(type(failure)):
                    results_file.write_whole(path, "newer")
                self.assertEqual(path.read_text(), "older")
                self.assertEqual([path], list(Path(folder).iterdir()))


class StreamTest(unittest.TestCase):
    """What a process has opened, under the names that the system gives it."""

    PROGRAM = (f"import sys; sys.path.insert(0, {str(BENCH)!r})\n"
               "from pathlib import Path\n"
               "from comparison import results_file\n"
               "path = Path(sys.argv[1])\n"
               "results_file.check_can_be_written(path)\n"
               "print('the table', results_file.can_be_replaced(path), flush=True)\n"
               "results_file.write_whole(path, 'results\\n')\n"
               "print('the end')\n")

    def write_to(self, path, stdout, **options):
        return subprocess.run([sys.executable, "-B", "-c", self.PROGRAM, path], stdout=stdout,
                              stderr=subprocess.PIPE, text=True, **options)

    def test_a_file_that_is_stdout_keeps_what_was_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = Path(folder) / "log.txt", Path(folder) / "link"
            link.symlink_to("/dev/stdout")
            for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1",
                         link):
                with open(path, "w") as stdout:
                    result = self.write_to(name, stdout)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(path.read_text(), "the table False\nresults\nthe end\n", name)
                self.assertEqual(sorted(os.listdir(folder)), ["link", "log.txt"])

    def test_one_that_was_deleted_does_not_come_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.txt"
            with open(path, "w+") as stdout:
                path.unlink()
                self.write_to("/dev/stdout", stdout)
                stdout.seek(0)
                self.assertEqual(stdout.read(), "the table False\nresults\nthe end\n")
            self.assertEqual(os.listdir(folder), [])

    def test_one_of_another_process_keeps_what_it_has(self):
        with tempfile.NamedTemporaryFile("w+") as file:
            file.write("older\n")
            file.flush()
            path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
            result = self.write_to(path, subprocess.PIPE)
            self.assertEqual(result.stdout, "the table False\nthe end\n", result.stderr)
            self.assertEqual(Path(file.name).read_text(), "older\nresults\n")

    def test_a_pipe(self):
        result = self.write_to("/dev/stdout", subprocess.PIPE)
        self.assertEqual(result.stdout, "the table False\nresults\nthe end\n", result.stderr)

    def test_one_that_is_only_read_is_refused_at_once(self):
        with open("/dev/null") as stdin:
            result = self.write_to("/dev/stdin", subprocess.PIPE, stdin=stdin)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("Bad file descriptor", result.stderr)


if __name__ == "__main__":
    unittest.main()
