# The layering check sees what it must see, on small trees made here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import layering

ARCHITECTURE = """# Architecture

| other | table |
|---|---|
| a | `lib/Nowhere` |

| room | folder | in → out |
|---|---|---|
| basics | `lib/Basics` (+ `include/lintel/{Error,DType}.h`) | errors |
| dialect | `dialects/Lintel` | the op |
| Problem | `lib/Problem` (+ `include/lintel/Problem.h`) | text |
| Engine | `lib/Engine` (+ `include/lintel/Engine.h`) | the line |
| CAPI | `lib/CAPI` (+ `include/lintel-c/lintel.h`) | C |
| tools | `tools/` | mains |

After the table.
"""

GOOD = {
    "docs/architecture.md": ARCHITECTURE,
    "include/lintel/Error.h": "#pragma once\n#include <string>\n",
    "include/lintel/DType.h": '#pragma once\n#include "lintel/Error.h"\n',
    "lib/Basics/DType.cpp": '#include "lintel/DType.h"\n',
    "include/lintel/Problem.h": '#include "lintel/DType.h"\n',
    "include/lintel/Engine.h": '#include "lintel/Problem.h"\n',
    "include/lintel-c/lintel.h": "#include <stdint.h>\n",
    "dialects/Lintel/Ops.td": "",
    "dialects/Lintel/Data.h": '#include "lintel/Error.h"\n',
    "dialects/Lintel/Ops.cpp": '#include "Lintel/Ops.h.inc"\n#include "mlir/IR/Builders.h"\n',
    "lib/Problem/Text.h": '#include "Lintel/Data.h"\n#include "lintel/Problem.h"\n',
    "lib/Problem/Text.cpp": '#include "Text.h"\n#include "llvm/ADT/StringRef.h"\n',
    "lib/Engine/Engine.cpp": '#include "Problem/Text.h"\n#include "lintel/Engine.h"\n',
    "lib/CAPI/lintel.cpp": '#include "lintel-c/lintel.h"\n#include "lintel/Engine.h"\n',
    "tools/lintel/main.cpp": '#include "lintel/Engine.h"\n#include "formats/Npy.h"\n',
    "tools/lintel/formats/Npy.h": '#include "lintel/Error.h"\n',
}


class LayeringTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)

    def tree(self, changes):
        """The root of the good tree with some files changed."""
        root = Path(tempfile.mkdtemp(dir=self.base))
        for name, text in {**GOOD, **changes}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return root

    def check(self, changes):
        violations, _ = layering.check_tree(self.tree(changes))
        return [str(violation) for violation in violations]

    def check_one(self, changes, *parts):
        messages = self.check(changes)
        self.assertEqual(len(messages), 1, messages)
        for part in parts:
            self.assertIn(part, messages[0])

    def test_good_tree_passes(self):
        self.assertEqual(self.check({}), [])

    def test_exit_status(self):
        bad = {"lib/Utils/Misc.cpp": ""}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(layering.main(self.tree({})), 0)
            self.assertEqual(layering.main(self.tree(bad)), 1)
            with self.assertRaises(SystemExit):
                layering.main(self.base / "absent")
        self.assertIn("lib/Utils/Misc.cpp:1:", printed.getvalue())

    def test_include_of_a_later_room(self):
        self.check_one(
            {"lib/Engine/Engine.h": "", "lib/Problem/Text.cpp": '\n#include "Engine/Engine.h"\n'},
            "lib/Problem/Text.cpp:2:", "room Problem", "of room Engine")

    def test_public_header_belongs_to_the_room_that_implements_it(self):
        self.check_one({"lib/Problem/Text.cpp": '#include "lintel/Engine.h"\n'},
                       "lib/Problem/Text.cpp:1:", "of room Engine")

    def test_public_header_of_an_earlier_room_includes_a_later_one(self):
        self.check_one({"include/lintel/Error.h": '#include "lintel/Problem.h"\n'},
                       "include/lintel/Error.h:1:", "room basics")

    def test_code_of_a_public_header_stands_in_its_room(self):
        self.check_one({"lib/Problem/Error.cpp": '#include "lintel/Error.h"\n'},
                       "lib/Problem/Error.cpp:1:", "include/lintel/Error.h", "room Problem")
        self.check_one({"lib/Basics/DType.cpp": '#include "Lintel/Data.h"\n'},
                       "lib/Basics/DType.cpp:1:", "room basics", "of room dialect")

    def test_angle_brackets_and_blanks_count(self):
        self.check_one({"include/lintel/DType.h": "  #  include <lintel/Problem.h>\n"},
                       "of room Problem")

    def test_c_header_stands_after_the_engine(self):
        self.check_one({"lib/Engine/Engine.cpp": '#include "lintel-c/lintel.h"\n'},
                       "of room CAPI")

    def test_header_beside_the_file(self):
        self.assertEqual(self.check({"lib/Problem/Text.cpp": '#include "Text.h"\n'}), [])

    def test_generated_header_of_a_later_room(self):
        self.check_one({"lib/Problem/Text.cpp": '#include "Engine/Passes.h.inc"\n'},
                       "of room Engine")

    def test_public_header_with_llvm(self):
        for name in ("llvm/ADT/StringRef.h", "mlir/IR/Builders.h", "mlir-c/IR.h"):
            self.check_one({"include/lintel/Error.h": f'#include "{name}"\n'}, name, "LLVM")

    def test_c_header_with_llvm(self):
        self.check_one({"include/lintel-c/lintel.h": "#include <llvm-c/Core.h>\n"}, "LLVM")

    def test_headers_for_embedders_of_ir_may_use_mlir(self):
        architecture = ARCHITECTURE.replace("`lib/Engine`", "`lib/Engine`, `include/lintel/IR`")
        self.assertEqual(
            self.check({"docs/architecture.md": architecture,
                        "include/lintel/IR/Passes.h": '#include "mlir/Pass/Pass.h"\n'}), [])

    def test_header_of_a_room_without_llvm(self):
        json = '#include "llvm/Support/JSON.h"\n'
        self.check_one({"lib/Engine/Text.h": json}, "JSON.h", "room Engine", "no LLVM")
        self.assertEqual(self.check({"lib/Engine/HostJson.h": json}), [])
        self.assertEqual(self.check({"lib/Engine/Text.cpp": json}), [])
        self.assertEqual(self.check({"lib/Problem/Text.h": json}), [])

    def test_public_header_with_a_private_one(self):
        self.check_one({"include/lintel/Engine.h": '#include "Problem/Text.h"\n'},
                       "not installed")

    def test_folder_that_is_no_room(self):
        self.check_one({"lib/Utils/Misc.cpp": ""}, "lib/Utils/Misc.cpp:1:", "no room")

    def test_document_without_a_table(self):
        with self.assertRaises(layering.TableError):
            self.check({"docs/architecture.md": "# nothing\n"})

    def test_room_without_a_folder(self):
        with self.assertRaises(layering.TableError):
            self.check({"docs/architecture.md": ARCHITECTURE.replace("`tools/`", "tools")})


if __name__ == "__main__":
    unittest.main()
