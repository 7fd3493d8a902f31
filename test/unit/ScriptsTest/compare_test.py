# bench/compare.py as far as it needs no peer: timing, reports, the C ABI.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import array
import contextlib
import ctypes
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
import compare  # noqa: E402
import compare_schedules  # noqa: E402
from comparison import contestants, lintel_abi, problems, process, race, report  # noqa: E402


def fill_build(folder):
    for name in ("lib/liblintel.so", "bin/lintel"):
        (Path(folder) / name).parent.mkdir()
        (Path(folder) / name).write_text("#!/bin/sh\necho '{\"threads\": 1}'\n")
        (Path(folder) / name).chmod(0o755)


def row(text, lintel_us, peers, group=problems.NO_GROUP):
    return report.Row(problems.parse_problem(text, group), lintel_us, peers, 2.0, 1e-7)


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.rows = [row("1x100:100x50 bias", 10.0, {"eager": 40.0, "mkl": 20.0}, "decode"),
                     row("16x100:100x50", 10.0, {"eager": 80.0}, "decode"),
                     row("17x100:100x50", 10.0, {"eager": 5.0}),
                     row("18x100:100x50", 10.0, {})]

    def test_a_row(self):
        first = self.rows[0]
        self.assertEqual((first.best_peer, first.ratio), ("mkl", 2.0))
        self.assertAlmostEqual(first.gflops(10.0), 1.0)
        self.assertAlmostEqual(first.peak_fraction, 0.5)
        self.assertIsNone(self.rows[3].ratio)

    def test_geometric_means(self):
        means = report.geometric_means(self.rows)
        self.assertEqual(list(means), ["all", "M <= 16", "M > 16", "decode"])
        for name, value in (("all", 2), ("M <= 16", 4), ("M > 16", 0.5), ("decode", 4)):
            self.assertAlmostEqual(means[name], value)

    def test_a_group_does_not_take_the_place_of_a_mean(self):
        means = report.geometric_means([row("1x8:8x4", 1.0, {"eager": 2.0}, "all"),
                                        row("2x8:8x4", 1.0, {"eager": 8.0}, "M <= 16")])
        self.assertEqual(list(means), ["all", "M <= 16", 'group "all"', 'group "M <= 16"'])
        for name, value in (("all", 4), ("M <= 16", 4), ('group "all"', 2)):
            self.assertAlmostEqual(means[name], value)

    def test_json(self):
        written = json.loads(json.dumps(report.as_json({"cpu": "c"}, "f32", 2, self.rows)))
        self.assertEqual(list(written), ["machine", "dtype", "threads", "rows", "geomean"])
        self.assertEqual(list(written["rows"][0]), ["problem", "lintel_us", "peers", "ratio",
                                                    "peak_fraction", "max_error"])
        self.assertEqual(written["rows"][0]["peers"], {"eager": 40.0, "mkl": 20.0})

    def test_no_exponent(self):
        self.assertEqual([report.digits(value) for value in (0.01234, 9.876, 123456)],
                         ["0.0123", "9.88", "123456"])
        self.assertEqual([report.digits(value, 4) for value in (0.01234, 999.96, 200345.6)],
                         ["0.01234", "1000", "200346"])

    def test_table(self):
        peers = ["eager", "mkl"]
        columns = report.table_head(peers).splitlines()[0].count("|")
        for one in self.rows:
            self.assertEqual(report.table_line(one, peers).count("|"), columns)
        line = report.table_line(self.rows[0], peers)
        self.assertIn("| 10 µs, 1 GF/s | 40 µs, 0.25 GF/s |", line)
        self.assertIn("| 2.00 | mkl | 50.0 % |", line)
        self.assertIn("| - | - |", report.table_line(self.rows[3], peers))

    def test_a_dynamic_m_says_for_how_many_rows(self):
        for text, title in (("?x8:8x4 bias", "?x8:8x4 bias, M = 512"), ("05x8:8x4", "5x8:8x4")):
            line = report.table_line(row(text, 1.0, {}), [])
            self.assertTrue(line.startswith(f"| {title} |"), line)


def entrant(*calls):
    return contestants.Entry(calls, lambda returned: returned)


class RaceTest(unittest.TestCase):
    def test_every_entrant_has_one_sample_a_round(self):
        calls = {"a": entrant(lambda: None), "b": entrant(lambda: None, lambda: None)}
        samples = race.race(calls, race.Effort(seconds=0, min_rounds=4, max_rounds=9))
        self.assertEqual({name: len(values) for name, values in samples.items()},
                         {"a": 4, "b": 4})
        self.assertTrue(all(value > 0 for values in samples.values() for value in values))

    def test_time_is_bounded_by_rounds(self):
        samples = race.race({"a": entrant(lambda: None)},
                            race.Effort(seconds=1e9, min_rounds=1, max_rounds=3))
        self.assertEqual(len(samples["a"]), 3)

    def test_everyone_follows_everyone(self):
        def neighbours():
            ran = []
            calls = {name: entrant(lambda name=name: ran.append(name)) for name in "abcd"}
            with mock.patch.object(race, "MAX_BATCH", 1):
                race.race(calls, race.Effort(seconds=0, min_rounds=20, max_rounds=20))
            turns = ran[-2 * 4 * 20::2]  # each warms up before it is timed
            rounds = [turns[i:i + 4] for i in range(0, len(turns), 4)]
            self.assertTrue(all(sorted(one) == list("abcd") for one in rounds))
            return [pair for one in rounds for pair in zip(one, one[1:])]

        first = neighbours()
        self.assertEqual(len(set(first)), 4 * 3)
        self.assertEqual(neighbours(), first)

    def test_no_copy_is_used_again_before_all_others(self):
        used = []
        calls = [lambda number=number: used.append(number) for number in range(3)]
        rotation = race.Rotation()
        for count in (2, 5, 1):
            for call in rotation.take(calls, count):
                call()
        self.assertEqual(used, [0, 1, 2, 0, 1, 2, 0, 1])

    def test_an_empty_call_takes_time(self):
        self.assertGreater(race.empty_call_microseconds(), 0)


class FakeSession:
    """In place of the one that measures, for which PyTorch is needed."""

    code = 0

    def __init__(self, arguments):
        FakeSession.measured = [problem.text for problem in arguments.problem]

    def run(self):
        if isinstance(FakeSession.code, BaseException):
            raise FakeSession.code
        return FakeSession.code


class LeftOutTest(unittest.TestCase):
    """What the measuring process does with problems that it cannot measure."""

    def compare(self, lines, *words, code=0):
        """The exit code and what stands on stderr."""
        with tempfile.TemporaryDirectory() as build, contextlib.ExitStack() as patches:
            fill_build(build)
            (Path(build) / "list.txt").write_text("\n".join(lines))
            session = mock.Mock(Session=FakeSession)
            for patch in (mock.patch.dict(sys.modules, {"comparison.session": session}),
                          mock.patch.object(compare, "become_measuring_process"),
                          mock.patch.object(compare, "take_termination_for_interrupt"),
                          mock.patch.object(FakeSession, "code", code)):
                patches.enter_context(patch)
            stderr = patches.enter_context(contextlib.redirect_stderr(io.StringIO()))
            result = compare.main(["--build", build, "--file", f"{build}/list.txt", *words])
            return result, stderr.getvalue()

    def test_the_rest_is_measured_and_the_run_fails(self):
        code, stderr = self.compare(["1x8:8x4", "5..16x8:8x4", "2x8:8x4 relu"],
                                    "0x8:8x4", "3x8:8x4", "bias")
        self.assertEqual(code, 1)
        self.assertEqual(FakeSession.measured, ["1x8:8x4", "2x8:8x4 relu", "3x8:8x4 bias"])
        self.assertEqual(stderr.count("compare: left out: "), 2)
        self.assertRegex(stderr, r'left out: .*/list\.txt:2: "5\.\.16x8:8x4"')
        self.assertIn('left out: "0x8:8x4": nothing to compute', stderr)

    def test_nothing_is_said_of_a_list_that_is_measured_whole(self):
        self.assertEqual(self.compare(["1x8:8x4", "?x8:8x4"]), (0, ""))

    def test_an_interrupt_outweighs_what_is_left_out(self):
        code, _ = self.compare(["1x8:8x4", "0x8:8x4"], code=130)
        self.assertEqual(code, 130)

    def test_a_failure_is_one_line(self):
        self.assertEqual(self.compare(["1x8:8x4"], code=RuntimeError("no such ISA")),
                         (1, "compare: no such ISA\n"))
        self.assertEqual(self.compare(["1x8:8x4"], code=KeyboardInterrupt()), (130, ""))


class ProcessTest(unittest.TestCase):
    def test_cpus(self):
        allowed = sorted(os.sched_getaffinity(0))
        self.assertEqual(sorted(process.choose_cpus(len(allowed), allowed)), allowed)
        with self.assertRaises(ValueError):
            process.choose_cpus(len(allowed) + 1, allowed)

    def run_program(self, name, *arguments, **variables):
        with tempfile.TemporaryDirectory() as build:
            fill_build(build)
            return subprocess.run([sys.executable, "-B", BENCH / name, "--build", build,
                                   *arguments], capture_output=True, text=True,
                                  env={**os.environ, **variables})

    def test_a_pytorch_that_does_not_load_is_no_traceback(self):
        for program, words in (("compare", ()), ("compare_schedules", ("--tune", "1"))):
            for statement, code, said in (('raise ImportError("no CUDA")', 1, "no CUDA\n"),
                                          ("raise KeyboardInterrupt", 130, "")):
                with self.subTest(program, code=code), tempfile.TemporaryDirectory() as packages:
                    (Path(packages) / "torch.py").write_text(statement)
                    result = self.run_program(f"{program}.py", "--no-install", "--threads", "1",
                                              *words, "1x8:8x4", PYTHONPATH=packages)
                    self.assertEqual((result.returncode, result.stderr),
                                     (code, said and f"{program}: {said}"))

    def test_the_words_of_a_problem_may_stand_around_an_option(self):
        for words in (("compare.py",), ("compare_schedules.py", "--tune", "1")):
            result = self.run_program(*words, "1x8:8x4", "--threads", "1", "bais")
            self.assertEqual(result.returncode, 2)
            self.assertIn('"1x8:8x4 bais": unknown epilogue "bais"', result.stderr)

    def test_bad_usage(self):
        for arguments, part in (((), "no problem"), (("1x8:8x4", "--peers", "blis"), '"blis"'),
                                (("1x8:8x4", "--peers", ","), "no peer; there are eager, "),
                                (("1x8:8x4", "--dtype", "u8s8", "--peers", "mkl,mkl"),
                                 '--peers "mkl": it computes f32 and not u8s8\n'),
                                (("1x8:9x4",), "K = 8"), (("1x8:8x4", "2x8:9x4"), "K = 8"),
                                (("0x8:8x4", "5..16x8:8x4"), "nothing to compute"),
                                (("0x8:8x4", "5..16x8:8x4"), '"5..16"'),
                                (("1x8:8x4", "--dtype", "f8"), "f8"),
                                (("1x8:8x4", "--threads", "0"), "at least 1"),
                                (("1x8:8x4", "--threads", "99999"), "99999: this process may"),
                                (("1x8:8x4", "--json", "/nowhere/out.json"), "/nowhere"),
                                (("1x8:8x4", "--json", "/dev"), "/dev"),
                                (("1x8:8x4", "--json", "/proc/out.json"), "/proc/out.json"),
                                (("--file", "/nowhere/list.txt"), "/nowhere/list.txt")):
            result = self.run_program("compare.py", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)

    def test_a_link_that_leads_nowhere_stays_one(self):
        with tempfile.TemporaryDirectory() as folder:
            link, target = Path(folder) / "out.json", Path(folder) / "results.json"
            link.symlink_to(target)
            result = self.run_program("compare.py", "--json", link, "1x8:9x4")
            self.assertEqual(result.returncode, 2)
            self.assertIn("K = 8", result.stderr)
            self.assertTrue(link.is_symlink())
            self.assertFalse(target.exists())

    def test_a_link_to_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            link = Path(folder) / "out.json"
            link.symlink_to(link)
            result = self.run_program("compare.py", "--json", link, "1x8:8x4")
            self.assertEqual(result.returncode, 2)
            self.assertIn(str(link), result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_a_list_that_is_not_utf8(self):
        with tempfile.NamedTemporaryFile(suffix=".txt") as names:
            names.write(b"1x8:8x4 \xff\n")
            names.flush()
            result = self.run_program("compare.py", "--file", names.name)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{names.name}: is no list of problems", result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_a_list_that_can_be_read_only_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder) / "pipe"
            os.mkfifo(pipe)
            for path in (pipe, Path(folder)):
                result = self.run_program("compare.py", "--file", path)
                self.assertEqual(result.returncode, 2)
                self.assertIn(f"{path}: is no regular file", result.stderr)

    def test_bad_usage_of_schedules(self):
        for arguments, part in ((("1x8:8x4",), "no schedule"),
                                (("--tune", "1"), "problem"),
                                (("--tune", "-1", "1x8:8x4"), "at least 0"),
                                (("--tune", "1", "--seconds", "nan", "1x8:8x4"), "positive"),
                                (("--schedule", "", "1x8:8x4"), "empty"),
                                (("--tune", "1", "?x8:8x4"), "dynamic"),
                                (("--tune", "1", "1x8:9x4"), "K = 8"),
                                (("--tune", "1", "5..16x8:8x4"), '"5..16"'),
                                (("--tune", "1", "0x8:8x4"), "nothing to compute"),
                                (("--tune", "1", "1x8:8x4", "2x8:8x4"), "not 2"),
                                (("--tune", "1", "--peers", "eager,none", "1x8:8x4"),
                                 '--peers "none": there are eager, inductor'),
                                (("--tune", "1", "--peers", "mkl", "--dtype", "bf16", "1x8:8x4"),
                                 '--peers "mkl": it computes f32 and not bf16')):
            result = self.run_program("compare_schedules.py", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)

    def test_schedules_are_compared_with_the_first_round_by_round(self):
        table = compare_schedules.table([
            (compare_schedules.Contestant("tile=1x16"), [1e-6, 2e-6, 4e-6]),
            (compare_schedules.Contestant("tile=1x32", tunings=2), [2e-6, 1e-6, 2e-6]),
            (compare_schedules.Contestant("eager", is_peer=True), [3e-6, 6e-6, 12e-6])])
        self.assertIn("3 rounds", table)
        self.assertIn("| 6 | 3.000 | - | eager |", table)
        self.assertIn("| 2 | 1.000 | - | `tile=1x16` |", table)
        self.assertIn("| 2 | 0.500 | 2 | `tile=1x32` |", table)


class LintelTest(unittest.TestCase):
    """A small layer through ctypes, on integers: the sums are exact."""

    M, K, N = 3, 8, 4

    def setUp(self):
        library = lintel_abi.Library(Path(os.environ["LINTEL_LIBRARY_UNDER_TEST"]))
        self.engine = lintel_abi.Engine(library, threads=1, disable_cache=True)
        self.addCleanup(self.engine.close)

    def tensor(self, values, stride):
        return lintel_abi.Tensor(values.buffer_info()[0], stride)

    def expected(self, x, w, bias):
        return [max(0, bias[j] + sum(x[i * self.K + k] * w[j * self.K + k]
                                     for k in range(self.K)))
                for i in range(self.M) for j in range(self.N)]

    def test_layers_with_weights_of_their_own(self):
        x = array.array("f", [i % 5 - 2 for i in range(self.M * self.K)])
        weights = [array.array("f", [i % modulus - 2 for i in range(self.N * self.K)])
                   for modulus in (3, 7)]
        bias = array.array("f", range(self.N))
        output = array.array("f", [float("nan")] * (self.M * self.N))
        linears = []
        for w in weights:
            linears.append(self.engine.compile("3x8:8x4 bias+relu", "f32"))
            self.addCleanup(linears[-1].close)
            linears[-1].set_weight(w.buffer_info()[0], self.K)
        calls = lintel_abi.prepared_calls(linears, self.tensor(x, self.K), self.M,
                                          [self.tensor(bias, self.N)],
                                          self.tensor(output, self.N))
        for call, w in zip(calls, weights):
            self.assertEqual(call(), 0)
            self.assertEqual(list(output), self.expected(x, w, bias))
        self.assertIn("winner", linears[0].report)

    def test_a_schedule_is_pinned(self):
        linear = self.engine.compile("3x8:8x4 bias+relu", "f32", "tile=2x16")
        self.addCleanup(linear.close)
        self.assertEqual(linear.report["source"], "pinned")
        self.assertIn("tile=2x16,", linear.report["winner"]["schedule"])

    def test_peak(self):
        for dtype in ("f32", "bf16", "u8s8"):
            self.assertGreater(self.engine.measure_peak(dtype), 0)

    def test_errors_have_words(self):
        with self.assertRaises(lintel_abi.LintelError) as raised:
            self.engine.compile("3x8:8x4 bais", "f32")
        self.assertIn("bais", str(raised.exception))


class StructsTest(unittest.TestCase):
    """Of lintel_abi.py, beside those that a C compiler makes of the header."""

    STRUCTS = {"lintel_engine_options": lintel_abi.EngineOptions,
               "lintel_compile_options": lintel_abi.CompileOptions,
               "lintel_tensor": lintel_abi.Tensor}

    @classmethod
    def setUpClass(cls):
        prints = [f'printf("%zu %zu\\n", offsetof({name}, {field}),'
                  f' sizeof((({name} *)0)->{field}));'
                  for name, struct in cls.STRUCTS.items() for field, _ in struct._fields_]
        prints += [f'printf("%zu\\n", sizeof({name}));' for name in cls.STRUCTS]
        program = ("#include <lintel-c/lintel.h>\n#include <stddef.h>\n#include <stdio.h>\n"
                   "int main(void) {\n" + "\n".join(prints) + "\nreturn 0;\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            binary = Path(folder) / "structs"
            subprocess.run([os.environ["LINTEL_C_COMPILER_UNDER_TEST"], "-x", "c", "-", "-I",
                            BENCH.parent / "include", "-o", binary],
                           input=program, text=True, check=True)
            lines = subprocess.run([binary], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines()
        cls.numbers = [tuple(map(int, line.split())) for line in lines]

    def test_fields_stand_where_the_header_has_them(self):
        fields = [(name, struct, field) for name, struct in self.STRUCTS.items()
                  for field, _ in struct._fields_]
        for (name, struct, field), place in zip(fields, self.numbers):
            descriptor = getattr(struct, field)
            self.assertEqual((descriptor.offset, descriptor.size), place, f"{name}.{field}")

    def test_sizes_are_those_of_the_header(self):
        """The options to compile end early, which their struct_size says."""
        *_, engine, compilation, tensor = (number for number, *_ in self.numbers)
        self.assertEqual(ctypes.sizeof(lintel_abi.EngineOptions), engine)
        self.assertLess(ctypes.sizeof(lintel_abi.CompileOptions), compilation)
        self.assertEqual(ctypes.sizeof(lintel_abi.Tensor), tensor)


if __name__ == "__main__":
    unittest.main()
