# CMake refuses folders in which the tests would remove what is not theirs, and compilers
# other than clang.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CMAKE = os.environ["LINTEL_CMAKE_UNDER_TEST"]


class ConfigureTest(unittest.TestCase):
    def configure(self, source="sources", build="build", compiler="Clang"):
        """What configuring says, where there is no more than it needs to refuse."""
        with tempfile.TemporaryDirectory() as folder:
            source, build = Path(folder) / source, Path(folder) / build
            source.mkdir()
            shutil.copy(ROOT / "CMakeLists.txt", source)
            shutil.copytree(ROOT / "cmake", source / "cmake")
            # No compiler is looked for, and nothing built.
            lists = source / "CMakeLists.txt"
            lists.write_text(lists.read_text().replace("LANGUAGES C CXX", "LANGUAGES NONE")
                             .replace("include(LintelLLVM)", 'message(FATAL_ERROR "went on")'))
            result = subprocess.run([CMAKE, "-S", source, "-B", build,
                                     f"-DCMAKE_CXX_COMPILER_ID={compiler}"],
                                    capture_output=True, text=True)
            self.assertNotEqual(result.returncode, 0)
            return " ".join(result.stderr.split())

    def test_white_space_in_paths_is_refused(self):
        for source, build in (("the sources", "build"), ("sources", "the build"),
                              ("sources", "the\tbuild")):
            with self.subTest(source=source, build=build):
                said = self.configure(source, build)
                self.assertIn("holds white space", said)
                self.assertIn("to a path without white space", said)
                self.assertNotIn("went on", said)

    def test_other_paths_are_not(self):
        self.assertIn("went on", self.configure())

    def test_other_compilers_are_refused(self):
        said = self.configure(compiler="GNU")
        self.assertIn("built with clang 22, and the C++ compiler here is GNU's", said)
        self.assertNotIn("went on", said)


if __name__ == "__main__":
    unittest.main()
