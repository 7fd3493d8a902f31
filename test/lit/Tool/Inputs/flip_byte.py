# Flips one bit in the middle of the only entry of a cache directory.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

paths = [os.path.join(folder, name) for folder, _, names in os.walk(sys.argv[1])
         for name in names]
(path,) = [path for path in paths if os.path.getsize(path) > 1000]
with open(path, "r+b") as stream:
    middle = os.path.getsize(path) // 2
    stream.seek(middle)
    byte = stream.read(1)[0]
    stream.seek(middle)
    stream.write(bytes([byte ^ 1]))
