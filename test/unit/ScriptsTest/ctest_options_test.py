# scripts/test hands options to ctest as this understands them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CTEST = os.environ["LINTEL_CTEST_UNDER_TEST"]
# Answers --help as the one that it stands for, and keeps the words of other calls.
FAKE_CTEST = f"""#!/bin/sh
[ "$1" = --help ] && exec {CTEST} --help
printf '%s\\n' "$@" >"$(dirname "$0")/words"
"""


class CtestOptionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        scripts = self.root / "scripts"
        scripts.mkdir()
        shutil.copy(ROOT / "CMakePresets.json", self.root)
        for name in ("test", "usage.sh"):
            shutil.copy(ROOT / "scripts" / name, scripts)
        (scripts / "ctest_totals.py").write_text("print('counted')\n")
        for name, text in (("scripts/build", "#!/bin/sh\n"), ("ctest", FAKE_CTEST)):
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)

    def run_test(self, *words):
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        result = subprocess.run([self.root / "scripts" / "test", *words], capture_output=True,
                                text=True, env={**os.environ, "PATH": path})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def options(self, *words):
        """What ctest is called with behind the options that scripts/test gives itself."""
        self.run_test(*words)
        called = (self.root / "words").read_text().splitlines()
        return called[called.index("--output-junit") + 2:]

    def test_values_become_words(self):
        for words, options in ((["-j4"], ["-j", "4"]), (["-Runit"], ["-R", "unit"]),
                               (["-LEslow"], ["-LE", "slow"]), (["-Lunit"], ["-L", "unit"]),
                               (["--tests-regex=a=b"], ["--tests-regex", "a=b"]),
                               (["--repeat=until-fail:2"], ["--repeat", "until-fail:2"])):
            self.assertEqual(self.options(*words), options)
            self.assertEqual(self.options("debug", *words), options)

    def test_what_ctest_understands_stays(self):
        for words in ([], ["-j", "4"], ["-R", "a b"], ["-V"], ["-VV"], ["-LE", "slow"], ["-N"],
                      ["--test-load", "3"], ["--show-only=json-v1"], ["--output-on-failure", "--schedule-random"]):
            self.assertEqual(self.options(*words), words)

    def test_what_it_does_not_know_is_refused(self):
        for word in ("--nonsense", "--nonsense=4", "-z4", "-VVV", "-N4"):
            with self.assertRaisesRegex(AssertionError, f"'{word}' is no option of ctest"):
                self.options("-j4", word)

    def test_what_the_script_gives_itself_is_refused(self):
        for words in (["--preset", "asan"], ["--output-junit=results.xml"]):
            with self.assertRaisesRegex(AssertionError, "is not for the caller"):
                self.options(*words)

    def test_what_asks_about_ctest_is_refused(self):
        for word in ("--version", "-H", "--help-full", "--help-command=ctest"):
            with self.assertRaisesRegex(AssertionError, f"'{word}' asks about ctest itself"):
                self.options("-j4", word)

    def test_an_option_without_its_value_is_refused(self):
        """ctest would take it in silence, and run all tests."""
        for words in (["--label-regex"], ["-j4", "-R"], ["-R", "unit", "-E"]):
            with self.assertRaisesRegex(AssertionError, f"'{words[-1]}' takes a value"):
                self.options(*words)
        with self.assertRaisesRegex(AssertionError, "'--label-regex' takes a value"):
            self.options("--label-regex", "-V")

    def test_what_is_only_listed_is_not_counted(self):
        self.assertEqual(self.run_test("-j4"), "counted\n")
        for words in (["-N"], ["--show-only=json-v1"], ["-R", "unit", "--print-labels"]):
            self.assertEqual(self.run_test(*words), "")

    def test_what_is_no_value_of_an_option_is_refused(self):
        for words, wrong in ((["debug", "unit"], "unit"), (["-V", "unit"], "unit"),
                             (["-j4", "-R", "unit", "lit"], "lit"), (["-Runit", "lit"], "lit")):
            with self.assertRaisesRegex(AssertionError, f"'{wrong}' belongs to no option"):
                self.options(*words)
        with self.assertRaisesRegex(AssertionError, "'' is no preset"):
            self.options("")


if __name__ == "__main__":
    unittest.main()
