# Runs a command, interrupts it after 3 seconds, and expects exit code 130 soon after.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:])
try:
    process.wait(timeout=3)
    sys.exit("ended by itself with exit code %d" % process.returncode)
except subprocess.TimeoutExpired:
    process.send_signal(signal.SIGINT)
code = process.wait(timeout=30)
if code != 130:
    sys.exit("exit code %d, expected 130" % code)
