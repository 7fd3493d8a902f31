# Runs a command, sends a signal when its first result appears, and expects exit code 130.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   interrupt.py [--signal NAME] [--later | --caught] COMMAND...
#
# --signal: SIGINT unless it is another.
# --later: 50 ms after the first result, when work on the second is under way.
# --caught: as soon as the command catches the signal; its results do not matter.
import argparse
import pathlib
import re
import signal
import subprocess
import sys
import time


def catches(process, signal_number):
    status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    mask = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE).group(1)
    return int(mask, 16) >> (signal_number - 1) & 1


parser = argparse.ArgumentParser()
parser.add_argument("--signal", default="SIGINT")
parser.add_argument("--later", action="store_true")
parser.add_argument("--caught", action="store_true")
parser.add_argument("command", nargs=argparse.REMAINDER)
arguments = parser.parse_args()
number = signal.Signals[arguments.signal]
for each in (signal.SIGINT, signal.SIGTERM):  # which the tests may run in a job that ignores
    signal.signal(each, signal.SIG_DFL)
process = subprocess.Popen(arguments.command, stdout=subprocess.PIPE, text=True)
if arguments.caught:
    while process.poll() is None and not catches(process.pid, number):
        time.sleep(0.001)
else:
    print(process.stdout.readline(), end="")
if arguments.later:
    time.sleep(0.05)
process.send_signal(number)
print(process.stdout.read(), end="")
process.wait()
if process.returncode != 130:
    sys.exit(f"exit code {process.returncode}, expected 130")
