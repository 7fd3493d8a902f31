# Runs a command, sends a signal when its first result appears, and expects exit code 130.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   interrupt.py [--signal NAME] [--twice | --later | --ignored] COMMAND...
#
# --signal: SIGINT unless it is another; with --twice a second one, 0.1 s later, is SIGINT.
# --later: 50 ms after the first result, when work on the second is under way.
# --ignored: the command inherits that it is ignored, and ends as ever, with exit code 0.
import argparse
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--signal", default="SIGINT")
parser.add_argument("--twice", action="store_true")
parser.add_argument("--later", action="store_true")
parser.add_argument("--ignored", action="store_true")
parser.add_argument("command", nargs=argparse.REMAINDER)
arguments = parser.parse_args()
number = signal.Signals[arguments.signal]
for each in (signal.SIGINT, signal.SIGTERM):  # which the tests may run in a job that ignores
    signal.signal(each, signal.SIG_IGN if arguments.ignored and each == number else signal.SIG_DFL)
process = subprocess.Popen(arguments.command, stdout=subprocess.PIPE, text=True)
print(process.stdout.readline(), end="")
if arguments.later:
    time.sleep(0.05)
process.send_signal(number)
if arguments.twice:
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
print(process.stdout.read(), end="")
process.wait()
expected = 0 if arguments.ignored else 130
if process.returncode != expected:
    sys.exit(f"exit code {process.returncode}, expected {expected}")
