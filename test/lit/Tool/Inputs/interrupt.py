# Runs a command, sends SIGINT when its first result appears, and expects exit code 130.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   interrupt.py [--twice | --later] COMMAND...
#
# --later: 50 ms after the first result, when work on the second is under way.
import signal
import subprocess
import sys
import time

mode = sys.argv[1] if sys.argv[1].startswith("--") else ""
command = sys.argv[2:] if mode else sys.argv[1:]
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
print(process.stdout.readline(), end="")
if mode == "--later":
    time.sleep(0.05)
process.send_signal(signal.SIGINT)
if mode == "--twice":
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
print(process.stdout.read(), end="")
process.wait()
if process.returncode != 130:
    sys.exit("exit code %d, expected 130" % process.returncode)
