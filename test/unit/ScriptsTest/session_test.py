# What a comparison leaves when it is interrupted, or nobody reads its stdout any more.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import contextlib
import gc
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
from comparison import (contestants, element_types, output, problems, process,  # noqa: E402
                        race, report)

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
        for number in (signal.SIGTERM, signal.SIGINT):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        process.take_termination_for_interrupt()

    def test_one_in_a_finalizer_is_not_lost(self):
        with self.assertRaises(KeyboardInterrupt):
            Interrupted()
            time.sleep(5)

    def test_two_at_once_are_one(self):
        """As timeout sends them."""
        for first in (signal.SIGINT, signal.SIGTERM):
            process.take_termination_for_interrupt()
            with self.assertRaises(KeyboardInterrupt):
                signal.raise_signal(first)
            signal.raise_signal(signal.SIGTERM)

    def test_a_later_one_is_another(self):
        with mock.patch.object(process, "_ONE_REQUEST", 0):
            for _ in range(2):
                with self.assertRaises(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)

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

    def run_session(self, path, before=lambda measured: None, able=("eager",), times=None):
        """The exit code and the problems that were measured, with a stdout that is closed.

        Before each one, `before` is called with those until then. `able`: the peers; `times`:
        those of each row."""
        measured = []
        peers = {name: mock.Mock(version="1") for name in able}

        def measure(_, engine, problem):
            before(measured)
            measured.append(problem)
            return report.Row(problem, 1.0, {"eager": 2.0} if times is None else times, 2.0,
                              1e-7)

        arguments = argparse.Namespace(
            build=Path("build"), dtype="f32", json=path, peers=["eager"],
            problem=self.PROBLEMS, rounds=1, seconds=1.0, threads=1)
        description = {"cpu": "c", "isa": "avx2"}
        machine = mock.Mock(description=mock.Mock(return_value=description), weight_bits=8)
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
                          mock.patch.object(session, "able_peers", return_value=peers),
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

    def test_rows_without_a_peer_compare_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            self.assertEqual(self.run_session(path, times={}), (1, self.PROBLEMS))
            self.assertIsNone(json.loads(path.read_text())["rows"][0]["ratio"])

    def test_the_file_has_what_there_is_at_any_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            path.write_text("older")
            path.chmod(0o640)

            def check(measured):
                text = path.read_text()
                if measured:
                    self.assertEqual(len(json.loads(text)["rows"]), len(measured))
                else:
                    self.assertEqual(text, "older")
            self.run_session(path, before=check)
            self.assertEqual([path], list(Path(folder).iterdir()))
            self.assertEqual(path.stat().st_mode & 0o777, 0o640)

    def test_an_interrupt_before_all_results_leaves_the_file_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            path.write_text("older")
            interrupt = mock.Mock(side_effect=KeyboardInterrupt)
            self.assertEqual(self.run_session(path, before=interrupt), (process.INTERRUPTED, []))
            self.assertEqual(path.read_text(), "older")

    def test_a_link_to_the_file_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = Path(folder) / "results.json", Path(folder) / "link.json"
            link.symlink_to(path)
            self.run_session(link)
            self.assertTrue(link.is_symlink())
            self.assertEqual(len(json.loads(path.read_text())["rows"]), len(self.PROBLEMS))

    def test_a_stream_takes_all_results_at_once(self):
        """Behind what was printed there: the file that stdout is, say."""
        with tempfile.TemporaryFile("w+") as file:
            file.write("the table\n")
            file.flush()
            code, _ = self.run_session(Path(f"/dev/fd/{file.fileno()}"))
            file.seek(0)
            table, results = file.read().split("\n", 1)
        self.assertEqual((code, table), (0, "the table"))
        self.assertEqual(len(json.loads(results)["rows"]), len(self.PROBLEMS))

    def test_without_a_peer_there_is_nothing_to_compare(self):
        """As of --peers openblas, where it is not installed."""
        with self.assertRaisesRegex(RuntimeError, "^no peer is left to compare with$"):
            self.run_session(None, able=())

    def test_without_a_file_nothing_is_measured_for_nobody(self):
        code, measured = self.run_session(None)
        self.assertIsInstance(code, BrokenPipeError)
        self.assertEqual(measured, [])


class CopiesTest(unittest.TestCase):
    """Of a weight of 1 MiB, of which three caches of 2 MiB hold six."""

    CACHE = 2 << 20

    def copies(self, memory, problem="1x512:512x512", types="f32", contestants=3):
        """How many, and what was said, with so many MiB for the contestants."""
        said = []
        copies = layer.copies_for(problems.parse_problem(problem), element_types.Types(types),
                                  self.CACHE, memory << 20, contestants, said.append)
        return copies, said

    def test_enough_to_be_cold(self):
        self.assertEqual(self.copies(1000), (6, []))

    def test_fewer_are_said_to_be_warm(self):
        copies, said = self.copies(21)
        self.assertEqual(copies, 4)
        self.assertEqual(len(said), 1)
        self.assertIn("1x512:512x512: memory holds 4 of 6 copies", said[0])

    def test_more_than_are_made_are_said_to_be_warm(self):
        # 1 KiB: six thousand would fill three caches.
        copies, said = self.copies(1000, "1x16:16x16")
        self.assertEqual(copies, layer.MAX_COPIES)
        self.assertEqual(len(said), 1)
        self.assertIn("there are no more than 1024 of 6144 copies", said[0])

    def test_many_rows_have_one_and_nothing_is_said(self):
        self.assertEqual(self.copies(1000, "33x16:16x16"), (1, []))

    def test_none_without_memory(self):
        with self.assertRaisesRegex(MemoryError, "3 contestants with weights of 1 MiB"):
            self.copies(9)

    def test_what_the_data_takes_while_they_are_made(self):
        self.assertEqual(self.copies(23, "33x1024:1024x1024", "u8s8"), (1, []))
        with self.assertRaises(MemoryError):  # 12 MiB, 8 for the reference and one for the output
            self.copies(21, "33x1024:1024x1024", "u8s8")

    def test_a_narrow_weight_is_made_of_f32(self):
        problem = "33x4096:4096x8192"  # 64 MiB and 128, 67 for the reference, 8 for the output
        for types in ("bf16", "f16"):
            self.assertEqual(self.copies(268, problem, types, contestants=0), (1, []))
            with self.assertRaises(MemoryError):
                self.copies(266, problem, types, contestants=0)

    def test_the_reference_takes_a_block_of_the_weight_at_a_time(self):
        """Of 64 MiB in double precision, which counts, but for a column that is longer."""
        for shape, columns in (("1x4096:4096x1000", 1000), ("1x4096:4096x4096", 2048),
                               ("1x131072:131072x4096", 64), ("1x16777216:16777216x4", 1)):
            self.assertEqual(layer._reference_columns(problems.parse_problem(shape)), columns)
        problem = "1x1048576:1048576x4"  # 30 MiB to make the data, a block of 32, and 8 of x
        self.assertEqual(self.copies(71, problem, "bf16", contestants=0), (2, []))
        with self.assertRaises(MemoryError):
            self.copies(69, problem, "bf16", contestants=0)

    def test_an_output_is_compared_in_double_precision(self):
        with self.assertRaises(MemoryError):  # 64 MiB of it
            self.copies(90, "1024x16:16x2048")
        self.assertEqual(self.copies(150, "1024x16:16x2048"), (1, []))

    def test_a_weight_that_is_cold_by_itself_needs_no_copies(self):
        self.assertEqual(self.copies(60, "1x2048:2048x1024"), (1, []))

    def test_many_rows_are_warm_with_one(self):
        self.assertEqual(self.copies(1000, "33x512:512x512"), (1, []))


class SchedulesTest(unittest.TestCase):
    def main(self, measured, stdout):
        """The exit code, and what is said on stderr."""
        with contextlib.ExitStack() as patches:
            arguments = argparse.Namespace(peers=[])
            for name, value in (("_arguments", arguments), ("become_measuring_process", None),
                                ("_measure", measured)):
                patches.enter_context(mock.patch.object(
                    compare_schedules, name, return_value=value))
            taken = patches.enter_context(
                mock.patch.object(process, "take_termination_for_interrupt"))
            patches.enter_context(stdout)
            stderr = patches.enter_context(contextlib.redirect_stderr(io.StringIO()))
            code = compare_schedules.main([])
            taken.assert_called_once_with()
            return code, stderr.getvalue()

    def measured(self, interrupted):
        return compare_schedules.Measured(
            [(compare_schedules.Contestant("tile=1x16"), [1e-6])], interrupted)

    def test_a_closed_stdout_is_one_line(self):
        for stdout, reason in ((closed_stdout(), "Broken pipe"),
                               (contextlib.redirect_stdout(None), "stdout is closed")):
            with self.subTest(reason):
                code, said = self.main(self.measured(interrupted=False), stdout)
                self.assertEqual(code, 1)
                self.assertRegex(said, f"^compare_schedules: .*{reason}\n$")

    def test_an_interrupt_prints_the_rounds_until_then(self):
        printed = io.StringIO()
        code, said = self.main(self.measured(interrupted=True),
                               contextlib.redirect_stdout(printed))
        self.assertEqual(code, process.INTERRUPTED)
        self.assertIn("| 1 | 1.000 | - | `tile=1x16` |", printed.getvalue())
        self.assertRegex(said, "^compare_schedules: interrupted: ")


class RoundsTest(unittest.TestCase):
    def rounds(self, call):
        entry = contestants.Entry([call], lambda returned: returned)
        return race.rounds({"one": entry}, race.Effort(seconds=60, max_rounds=3))

    def test_all_are_measured(self):
        measured, interrupted = compare_schedules.until_interrupt(self.rounds(lambda: None))
        self.assertFalse(interrupted)
        self.assertEqual(len(race.by_entrant(measured)["one"]), 3)

    def test_those_before_an_interrupt_are_kept(self):
        def rounds():
            yield {"one": 1.0, "two": 2.0}
            yield {"one": 3.0, "two": 4.0}
            raise KeyboardInterrupt
        measured, interrupted = compare_schedules.until_interrupt(rounds())
        self.assertTrue(interrupted)
        self.assertEqual(race.by_entrant(measured), {"one": [1.0, 3.0], "two": [2.0, 4.0]})

    def test_one_in_a_round_leaves_the_collector_on(self):
        calls = 0

        def interrupted_later():
            nonlocal calls
            calls += 1
            if calls > 20:  # the estimate and the first round take 15
                raise KeyboardInterrupt
        with mock.patch.object(race, "MAX_BATCH", 10):
            measured, interrupted = compare_schedules.until_interrupt(
                self.rounds(interrupted_later))
        self.assertTrue(interrupted)
        self.assertTrue(measured)
        self.assertTrue(gc.isenabled())

    def test_one_in_the_check_afterwards_is_no_loss(self):
        for raised, complete in ((KeyboardInterrupt, False), (None, True)):
            racers = mock.Mock(check_again=mock.Mock(side_effect=raised))
            self.assertEqual(compare_schedules.checked(racers), complete)

    def test_without_a_round_it_ends_the_program(self):
        def interrupted():
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            compare_schedules.until_interrupt(self.rounds(interrupted))


if __name__ == "__main__":
    unittest.main()
