# Runs a command, sends SIGINT when its first result appears, and expects exit code 130.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   interrupt.py [--twice] COMMAND...
import signal
import subprocess
import sys
import time

command = sys.argv[1:]
twice = command[0] == "--twice"
process = subprocess.Popen(command[twice:], stdout=subprocess.PIPE, text=True)
print(process.stdout.readline(), end="")
process.send_signal(signal.SIGINT)
if twice:
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
print(process.stdout.read(), end="")
process.wait()
if process.returncode != 130:
    sys.exit("exit code %d, expected 130" % process.returncode)
