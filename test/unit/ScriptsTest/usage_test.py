# Every script and benchmark says how it is called, and starts no work for what it does
# not know.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BENCHMARKS = Path(os.environ["LINTEL_BENCHMARKS_UNDER_TEST"])
COMMANDS = [ROOT / "scripts" / name for name in
            ("build", "test", "demo", "package", "setup", "format", "venv", "tidy",
             "size_report")]
COMMANDS += [ROOT / "bench" / name for name in
             ("run_all", "compare.py", "compare_schedules.py")]
MEASUREMENTS = ("gemm_peak", "compile_time", "call_overhead", "exhaustive_race", "repeat_tuning")
COMMANDS += [BENCHMARKS / name for name in MEASUREMENTS]

# Fits into the address space, and into the memory of no machine.
TOO_LARGE = "1x5000000:5000000x5000000"


def run(command, *arguments, **options):
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=30,
                          **options)



@contextlib.contextmanager
def build_of(text):
    """A build folder, the programs of which are that text of a shell."""
    with tempfile.TemporaryDirectory() as build:
        for name in ("lintel", *MEASUREMENTS):
            program = Path(build) / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text('#!/bin/sh\n[ "$1" = doctor ] && exec echo \'{"threads": 1}\'\n'
                               f"{text}\n")
            program.chmod(0o755)
        yield build


def take_interrupts():
    """A shell without job control starts what runs in the background deaf to them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class UsageTest(unittest.TestCase):
    def check_refusal(self, command, *arguments):
        result = run(command, *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(command.name, result.stderr)
        return result.stderr

    def test_help_is_a_few_lines(self):
        for command in COMMANDS:
            with self.subTest(command.name):
                result = run(command, "--help")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr, "")
                self.assertIn(command.name, result.stdout)
                self.assertNotIn("SPDX", result.stdout)
                self.assertLess(len(result.stdout.splitlines()), 60)

    def test_unknown_options_are_refused(self):
        for command in COMMANDS:
            with self.subTest(command.name):
                self.assertIn("--nonsense", self.check_refusal(command, "--nonsense"))

    def test_unknown_presets_are_refused(self):
        for command in (ROOT / "scripts" / "build", ROOT / "scripts" / "test"):
            for preset in ("fast", "toolchain"):
                with self.subTest(command.name, preset=preset):
                    self.assertIn("preset", self.check_refusal(command, preset))

    def test_options_of_ctest_need_no_preset(self):
        for words in (("--label-regex", "unit"), ("-L", "unit"), ("--repeat=until-fail:2",),
                      ("release", "-R", "x")):
            with self.subTest(words=words):
                self.assertIn("'--nonsense' is no option of ctest",
                              self.check_refusal(ROOT / "scripts" / "test", *words, "--nonsense"))

    def test_numbers_are_read_whole(self):
        for name in ("gemm_peak", "exhaustive_race", "repeat_tuning"):
            for text in ("two", "0", "2x", "1025"):
                with self.subTest(name, text=text):
                    self.assertIn(f"'{text}'",
                                  self.check_refusal(BENCHMARKS / name, text, "1", "1x1:1x1"))

    def test_problems_are_read_before_work_starts(self):
        for name, *numbers in (("exhaustive_race", "1", "1"), ("repeat_tuning", "1", "1"),
                               ("compile_time",), ("gemm_peak", "1")):
            with self.subTest(name):
                result = run(BENCHMARKS / name, *numbers, "1x1:1x1", "bf16", "2x2:3x3")
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertIn("2x2:3x3", result.stderr)

    def test_a_problem_that_fails_costs_no_other(self):
        for name, *numbers in (("exhaustive_race", "1", "0.3"), ("repeat_tuning", "1", "1"),
                               ("gemm_peak", "1")):
            with self.subTest(name), tempfile.TemporaryDirectory() as cache:
                result = run(BENCHMARKS / name, *numbers, TOO_LARGE, "8x32:32x32 bias",
                             env={**os.environ, "LINTEL_CACHE_DIR": cache})
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, f"(?m)^error: {TOO_LARGE}: ")
                self.assertIn("\n| 8x32:32x32 bias |", result.stdout)

    def test_types_without_a_problem_are_refused(self):
        for name, *words in (("exhaustive_race", "1", "1", "bf16"), ("compile_time", "bf16"),
                             ("compile_time", "isa=avx2", "1x1:1x1", "u8s8", "bf16"),
                             ("repeat_tuning", "1", "1", "1x1:1x1", "bf16"),
                             ("gemm_peak", "1", "1x1:1x1", "bf16")):
            with self.subTest(name, words=words):
                self.assertIn("'bf16' is for problems after it",
                              self.check_refusal(BENCHMARKS / name, *words))

    def test_rounds_are_counted_from_one(self):
        for name in ("call_overhead", "compile_time"):
            for rounds in ("0", "-1", "many", ""):
                with self.subTest(name, rounds=rounds):
                    self.assertIn(f"'{rounds}' is no number of rounds",
                                  self.check_refusal(BENCHMARKS / name, f"rounds={rounds}"))

    def test_one_peak_is_of_one_kind_of_types(self):
        self.assertIn("not also 'u8s8'",
                      self.check_refusal(BENCHMARKS / "gemm_peak", "1", "bf16", "1x1:1x1",
                                         "u8s8", "1x1:1x1"))

    def test_a_table_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            for name in ("gemm_peak", "call_overhead", "compile_time", "exhaustive_race",
                         "repeat_tuning"):
                with self.subTest(name):
                    result = subprocess.run([BENCHMARKS / name, "--help"], stdout=full,
                                            stderr=subprocess.PIPE, text=True, timeout=30)
                    self.assertEqual((result.returncode, result.stderr),
                                     (1, "error: cannot write to standard output\n"))

    def test_a_dynamic_m_is_no_small_one(self):
        for name, *rest in (("gemm_peak", "1"), ("call_overhead",), ("compile_time",),
                            ("exhaustive_race", "1", "0.1"), ("repeat_tuning", "1", "2")):
            with self.subTest(name):
                result = run(BENCHMARKS / name, *rest, "?x2:2x3")
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertIn("?x2:2x3: M = ? takes several kernels; name the rows", result.stderr)

    def test_where_one_number_is_meant_no_range_will_do(self):
        for name, *rest in (("gemm_peak", "1"), ("call_overhead",)):
            for rows in ("5..16", "?@64"):
                with self.subTest(name, rows=rows):
                    result = run(BENCHMARKS / name, *rest, f"{rows}x2:2x3")
                    self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
                    self.assertIn("M must be one number of rows", result.stderr)

    def test_rows_to_tune_for_make_one_kernel(self):
        result = run(BENCHMARKS / "compile_time", "?@64x2:2x3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| ?@64x2:2x3 |", result.stdout)

    def test_scripts_find_their_modules_where_python_does_not_look(self):
        for script in ("run_all", "compare.py", "compare_schedules.py"):
            with self.subTest(script):
                result = run(sys.executable, ROOT / "bench" / script, "--help",
                             env={**os.environ, "PYTHONSAFEPATH": "1"})
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_needs_no_kernel_has_no_time(self):
        for arguments in (("call_overhead",), ("compile_time",), ("gemm_peak", "1"),
                          ("exhaustive_race", "1", "0.1"), ("repeat_tuning", "1", "2")):
            name, *rest = arguments
            with self.subTest(name):
                result = run(BENCHMARKS / name, *rest, "0x32:32x32")
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertIn("0x32:32x32: M and N must be at least 1", result.stderr)

    def test_packages_that_are_missing_are_named(self):
        result = run(sys.executable, "-I", "-S", ROOT / "scripts" / "model_layers.py")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^model_layers.py: .*numpy.*; run scripts/venv, .*\n$")

    def test_folders_that_cd_looks_in_change_nothing(self):
        def size_report(**variables):
            return subprocess.run(["scripts/size_report"], cwd=ROOT, capture_output=True,
                                  text=True, timeout=30, env={**os.environ, **variables})

        with tempfile.TemporaryDirectory() as elsewhere:
            (Path(elsewhere) / "scripts").mkdir()
            with_path = size_report(CDPATH=elsewhere)
        self.assertEqual(with_path.stderr, "")
        self.assertEqual(with_path.stdout, size_report().stdout)

    def test_missing_arguments_are_refused(self):
        for arguments in ((), ("1",), ("1", "bf16")):
            with self.subTest(arguments=arguments):
                self.check_refusal(BENCHMARKS / "gemm_peak", *arguments)

    def test_surplus_arguments_are_refused(self):
        self.check_refusal(BENCHMARKS / "call_overhead", "1x1:1x1", "2x2:2x2")
        self.check_refusal(ROOT / "scripts" / "demo", "now")
        for name, *words in (("build", "release", "debug"), ("build", "release", "-j4"),
                             ("format", "check", "extra"),
                             ("size_report", "10", "20"), ("tidy", "lib/", "tools/")):
            with self.subTest(name):
                self.assertIn(f"not also '{words[-1]}'",
                              self.check_refusal(ROOT / "scripts" / name, *words))


class MeasurementsTest(unittest.TestCase):
    """bench/run_all on programs that measure nothing."""

    def run_all(self, build, **options):
        return run(ROOT / "bench" / "run_all", build, **options)

    def test_one_that_fails_is_named_and_the_others_go_on(self):
        with build_of("echo a row; echo no such ISA >&2; exit 3") as build:
            result = self.run_all(build)
        self.assertEqual(result.returncode, 1)
        for name in MEASUREMENTS:
            self.assertIn(f"no such ISA\nbench/run_all: {name} ended with code 3\n", result.stderr)
        self.assertEqual(result.stderr.count("run_all: lintel ended with code 3\n"), 2)
        for title in ("Share of the FMA peak, one thread", "Tuning again, one thread"):
            self.assertIn(f"## {title}\n\na row\n\n", result.stdout)

    def test_reports_that_are_none_are_named(self):
        with build_of("echo measured") as build:
            result = self.run_all(build)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^bench/run_all: lintel tune printed no report: .*\n"
                         "bench/run_all: lintel tune printed no report: .*\n$")

    def test_what_ends_them_leaves_the_rows_until_then_and_nothing_else(self):
        for signal_name in ("INT", "TERM"):
            with self.subTest(signal_name), tempfile.TemporaryDirectory() as temporary, \
                    build_of(f"echo a row; kill -{signal_name} $PPID; sleep 1") as build:
                result = self.run_all(build, preexec_fn=take_interrupts,
                                      env={**os.environ, "TMPDIR": temporary})
                self.assertEqual((result.returncode, result.stderr), (130, ""))
                self.assertIn("\na row\n", result.stdout)
                self.assertEqual(os.listdir(temporary), [])

    def test_a_program_that_is_missing_is_named(self):
        with build_of("echo measured") as build:
            (Path(build) / "bin" / "compile_time").unlink()
            result = self.run_all(build)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "^bench/run_all: .*/bin/compile_time'\n")
            (Path(build) / "bin" / "gemm_peak").unlink()
            result = self.run_all(build)
            self.assertEqual(result.returncode, 2)
            self.assertIn("no bin/gemm_peak there", result.stderr)

    def test_a_stdout_that_is_full_is_one_line(self):
        with build_of("echo measured") as build, open("/dev/full", "w") as full:
            result = subprocess.run([ROOT / "bench" / "run_all", build], stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=30)
        self.assertEqual((result.returncode, result.stderr),
                         (1, "bench/run_all: [Errno 28] No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
