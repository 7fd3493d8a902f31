# Runs a command with descriptors 0 to 2 closed, and expects that it has them open on /dev/null while it works.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   closed_streams.py COMMAND...
import os
import signal
import sys
import time


def target(process, descriptor):
    try:
        return os.readlink(f"/proc/{process}/fd/{descriptor}")
    except FileNotFoundError:
        return "nothing"


process = os.fork()
if process == 0:
    os.closerange(0, 3)
    os.execvp(sys.argv[1], sys.argv[1:])
found = []
while found != ["/dev/null"] * 3:
    ended, _ = os.waitpid(process, os.WNOHANG)
    if ended:
        sys.exit(f"the command ended with descriptors 0 to 2 on {found}")
    time.sleep(0.001)
    found = [target(process, descriptor) for descriptor in range(3)]
os.kill(process, signal.SIGKILL)
os.waitpid(process, 0)
