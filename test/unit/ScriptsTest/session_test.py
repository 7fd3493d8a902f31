# What a comparison leaves when it is interrupted, or nobody reads its stdout any more.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
import compare_schedules  # noqa: E402
from comparison import element_types, output, problems, process, report  # noqa: E402

TORCH = {name: mock.MagicMock() for name in ("torch", "torch.nn", "torch.nn.functional")}
with mock.patch.dict(sys.modules, TORCH):  # imported, but not used
    from comparison import layer, session  # noqa: E402


@contextlib.contextmanager
def closed_stdout():
    """As behind `| head -1` that has seen its line."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stdout, contextlib.redirect_stdout(stdout):
        yield


class Interrupted:
    """As by Ctrl-C while it is collected."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)


class InterruptTest(unittest.TestCase):
    def setUp(self):
        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        process.take_termination_for_interrupt()

    def test_one_in_a_finalizer_is_not_lost(self):
        with self.assertRaises(KeyboardInterrupt):
            Interrupted()
            time.sleep(5)

    def test_termination_is_one(self):
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


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

    def test_a_stdout_that_was_closed_from_the_start(self):
        optional, needed = output.Output(optional=True), output.Output(optional=False)
        with contextlib.redirect_stdout(None):
            optional.show("one")
            with self.assertRaisesRegex(OSError, "stdout is closed"):
                needed.show("one")
        self.assertTrue(optional.lost)

    def test_a_locale_without_the_micro_sign(self):
        stdout = io.TextIOWrapper(io.BytesIO(), encoding="koi8-r")
        with contextlib.redirect_stdout(stdout):
            output.Output(optional=False).show("3 µs")
        self.assertEqual(stdout.buffer.getvalue(), b"3 ?s\n")

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


class CopiesTest(unittest.TestCase):
    """Of a weight of 1 MiB, of which three caches of 2 MiB hold six."""

    CACHE = 2 << 20

    def copies(self, memory, problem="1x512:512x512"):
        """How many, and what was said, with so many MiB for three contestants."""
        said = []
        copies = layer.copies_for(problems.parse_problem(problem), element_types.Types("f32"),
                                  self.CACHE, memory << 20, 3, said.append)
        return copies, said

    def test_enough_to_be_cold(self):
        self.assertEqual(self.copies(1000), (6, []))

    def test_fewer_are_said_to_be_warm(self):
        copies, said = self.copies(21)
        self.assertEqual(copies, 4)
        self.assertEqual(len(said), 1)
        self.assertIn("1x512:512x512 none: memory holds 4 of 6 copies", said[0])

    def test_none_without_memory(self):
        with self.assertRaisesRegex(MemoryError, "3 contestants with weights of 1 MiB"):
            self.copies(9)

    def test_a_weight_that_is_cold_by_itself_needs_no_copies(self):
        self.assertEqual(self.copies(60, "1x2048:2048x1024"), (1, []))

    def test_many_rows_are_warm_with_one(self):
        self.assertEqual(self.copies(1000, "33x512:512x512"), (1, []))


class SchedulesTest(unittest.TestCase):
    def test_a_closed_stdout_is_one_line(self):
        samples = [(compare_schedules.Contestant("tile=1x16"), [1e-6])]
        for stdout, reason in ((closed_stdout(), "Broken pipe"),
                               (contextlib.redirect_stdout(None), "stdout is closed")):
            with self.subTest(reason), contextlib.ExitStack() as patches:
                arguments = argparse.Namespace(peers=[])
                for name, value in (("_arguments", arguments), ("become_measuring_process", None),
                                    ("_measure", samples)):
                    patches.enter_context(mock.patch.object(
                        compare_schedules, name, return_value=value))
                patches.enter_context(stdout)
                stderr = patches.enter_context(contextlib.redirect_stderr(io.StringIO()))
                self.assertEqual(compare_schedules.main([]), 1)
                self.assertRegex(stderr.getvalue(), f"^compare_schedules: .*{reason}\n$")


if __name__ == "__main__":
    unittest.main()
