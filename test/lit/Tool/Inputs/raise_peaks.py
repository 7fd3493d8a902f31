# Multiplies a kept FMA peak by ten without mending the digest.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

(path,) = pathlib.Path(sys.argv[1]).glob("*.peaks")
text = path.read_text()
assert "fma=" in text, text
path.write_text(text.replace("fma=", "fma=1", 1))
