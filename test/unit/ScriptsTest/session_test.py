# What a run of bench/compare.py leaves when nobody reads its stdout any more.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import output, problems, report  # noqa: E402

TORCH = {name: mock.MagicMock() for name in ("torch", "torch.nn", "torch.nn.functional")}
with mock.patch.dict(sys.modules, TORCH):  # imported, but not used
    from comparison import session  # noqa: E402


@contextlib.contextmanager
def closed_stdout():
    """As behind `| head -1` that has seen its line."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stdout, contextlib.redirect_stdout(stdout):
        yield


class OutputTest(unittest.TestCase):
    def test_what_is_optional_is_dropped(self):
        lines = output.Output(optional=True)
        with closed_stdout():
            for text in ("one", "two"):
                lines.show(text)
        self.assertTrue(lines.lost)

    def test_what_is_not_is_an_error_once(self):
        lines = output.Output(optional=False)
        with closed_stdout():
            with self.assertRaises(BrokenPipeError):
                lines.show("one")
            lines.show("two")

    def test_what_is_read_is_printed(self):
        lines = output.Output(optional=False)
        with contextlib.redirect_stdout(io.StringIO()) as stdout:
            lines.show("one")
        self.assertEqual((stdout.getvalue(), lines.lost), ("one\n", False))

    def test_the_end_of_the_process_is_silent(self):
        program = (f"import sys; sys.path.insert(0, {str(BENCH)!r})\n"
                   "from comparison.output import Output\n"
                   "lines = Output(optional=True)\n"
                   "lines.show('one')\nlines.show('two')\n")
        with open("/dev/full", "w") as full:
            result = subprocess.run([sys.executable, "-B", "-c", program], stdout=full,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class SessionTest(unittest.TestCase):
    PROBLEMS = [problems.parse_problem(text) for text in ("1x8:8x4", "2x8:8x4", "3x8:8x4")]

    def run_session(self, path):
        """The exit code and the problems that were measured, with a stdout that is closed."""
        measured = []

        def measure(_, engine, problem):
            measured.append(problem)
            return report.Row(problem, 1.0, {}, 2.0, 1e-7)

        arguments = argparse.Namespace(
            build=Path("build"), dtype="f32", json=path, peers=[], problem=self.PROBLEMS, rounds=1,
            seconds=1.0, threads=1)
        description = {"cpu": "c", "isa": "avx2"}
        machine = mock.Mock(description=mock.Mock(return_value=description))
        with contextlib.ExitStack() as patches:
            for patch in (mock.patch.object(session, "Machine", return_value=machine),
                          mock.patch.object(session, "Lintel",
                                            return_value=mock.Mock(version="1")),
                          mock.patch.object(session.lintel_abi, "Library"),
                          mock.patch.object(session.lintel_abi, "Engine"),
                          mock.patch.object(session.process, "on_all_cpus",
                                            contextlib.nullcontext),
                          mock.patch.object(session.process, "measuring_cpus",
                                            return_value=[0]),
                          mock.patch.object(session.process, "openmp_runtimes",
                                            return_value=["libgomp.so.1"]),
                          mock.patch.object(session.Session, "_measure", measure),
                          mock.patch.object(session, "_say"), closed_stdout()):
                patches.enter_context(patch)
            try:
                return session.Session(arguments).run(), measured
            except BrokenPipeError as error:
                return error, measured

    def test_the_file_has_all_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            self.assertEqual(self.run_session(path), (0, self.PROBLEMS))
            self.assertEqual(len(json.loads(path.read_text())["rows"]), len(self.PROBLEMS))

    def test_without_a_file_nothing_is_measured_for_nobody(self):
        code, measured = self.run_session(None)
        self.assertIsInstance(code, BrokenPipeError)
        self.assertEqual(measured, [])


if __name__ == "__main__":
    unittest.main()
