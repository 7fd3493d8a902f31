# scripts/setup installs what is missing, when other apt runs let it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FAKE_SUDO = """#!/bin/sh
exec "$@"
"""
# Nothing is installed.
FAKE_DPKG_QUERY = """#!/bin/sh
exit 1
"""
# As apt-get fails while another one holds the lists, $BUSY times; then as $BROKEN says.
FAKE_APT_GET = """#!/bin/sh
echo "$@" >>"$RECORD"
case "$*" in
*update*)
  if [ "$(grep -c update "$RECORD")" -le "$BUSY" ]; then
    echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" >&2
    exit 100
  fi
  if [ "$BROKEN" ]; then echo "E: $BROKEN" >&2; exit 100; fi ;;
esac
"""


class SetupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in (("sudo", FAKE_SUDO), ("dpkg-query", FAKE_DPKG_QUERY),
                           ("apt-get", FAKE_APT_GET)):
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)

    def run_setup(self, busy=0, broken=""):
        """The result, and what apt-get was asked for."""
        record = self.root / "record"
        path = os.pathsep.join([str(self.root), os.environ["PATH"]])
        result = subprocess.run(
            [ROOT / "scripts" / "setup"], capture_output=True, text=True,
            env={**os.environ, "PATH": path, "RECORD": str(record), "BUSY": str(busy),
                 "BROKEN": broken})
        asked = [next(word for word in line.split() if word in ("update", "install"))
                 for line in record.read_text().splitlines()]
        record.unlink()
        return result, asked

    def test_lists_that_another_run_holds_are_waited_for(self):
        result, asked = self.run_setup(busy=1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(asked, ["update", "update", "install"])
        self.assertEqual(result.stderr, "setup: waiting for another apt run\n")

    def test_what_else_is_wrong_is_said_at_once(self):
        result, asked = self.run_setup(broken="no network")
        self.assertEqual((result.returncode, asked), (100, ["update"]))
        self.assertEqual(result.stderr, "E: no network\n")


if __name__ == "__main__":
    unittest.main()
