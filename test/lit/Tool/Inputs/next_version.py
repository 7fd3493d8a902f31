"""Makes the only entry of a kernel cache one of the next format version."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
from pathlib import Path

VERSION_OFFSET = 8  # docs/cache-format.md

(entry,) = Path(sys.argv[1]).glob("*.lintel")
data = bytearray(entry.read_bytes())
data[VERSION_OFFSET] += 1
entry.write_bytes(data)
