# The totals of a test run, on a results file that has every outcome ctest knows.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import ctest_totals  # noqa: E402

PASSED = '<testcase name="a" status="run"/>'
FAILED = '<testcase name="b" status="fail"><failure message=""/></testcase>'
DISABLED = '<testcase name="c" status="disabled"/>'


def not_run(reason):
    return f'<testcase name="d" status="notrun"><skipped message="{reason}"/></testcase>'


class CtestTotalsTest(unittest.TestCase):
    def run_main(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                status = ctest_totals.main(file.name)
        return status, printed.getvalue()

    def totals(self, *cases):
        return self.run_main(f"<testsuite>{''.join(cases)}</testsuite>")

    def test_all_pass(self):
        self.assertEqual(self.totals(PASSED, PASSED), (0, "2 passed, 0 failed, 0 skipped\n"))

    def test_a_failure_fails_the_run(self):
        self.assertEqual(self.totals(PASSED, FAILED), (1, "1 passed, 1 failed, 0 skipped\n"))

    def test_skipped(self):
        cases = (PASSED, DISABLED, not_run("SKIP_RETURN_CODE=77"),
                 not_run("SKIP_REGULAR_EXPRESSION_MATCHED"))
        self.assertEqual(self.totals(*cases), (0, "1 passed, 0 failed, 3 skipped\n"))

    def test_a_program_that_is_missing_is_a_failure(self):
        for reason in ("Unable to find executable", "Fixture dependency failed"):
            self.assertEqual(self.totals(PASSED, not_run(reason)),
                             (1, "1 passed, 1 failed, 0 skipped\n"))

    def test_no_test_at_all_fails(self):
        self.assertEqual(self.totals(DISABLED)[0], 1)
        self.assertEqual(self.totals()[0], 1)

    def test_a_run_that_was_cut_off_fails(self):
        with self.assertRaises(SystemExit) as raised:
            self.run_main("<testsuite><testcase")
        self.assertIn("no results of ctest", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
