# Prints the totals of a ctest run; fails if a test failed or none ran.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 scripts/ctest_totals.py RESULTS.xml     (from ctest --output-junit)
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

# ctest also says "notrun" of a test whose program is missing: that is a failure.
SKIP_REASONS = ("Disabled", "SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION")


def outcome(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "disabled":
        return "skipped"
    reason = case.find("skipped")
    if status == "notrun" and reason is not None:
        if reason.get("message", "").startswith(SKIP_REASONS):
            return "skipped"
    return "failed"


def totals(path):
    return Counter(outcome(case) for case in ElementTree.parse(path).iter("testcase"))


def main(path):
    try:
        count = totals(path)
    except (OSError, ElementTree.ParseError) as error:
        sys.exit(f"{path}: no results of ctest: {error}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: ctest_totals.py RESULTS.xml")
    sys.exit(main(sys.argv[1]))
