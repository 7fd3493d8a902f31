# README.md shows the example as it is built, and every path it names is there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 readme_test.py            checks
#   python3 readme_test.py --update   copies the example into README.md
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
EXAMPLE = re.compile(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```\n", re.DOTALL)


def with_examples(text):
    """`text` with the source of each example between its fences."""

    def fill(match):
        fence = match.group(0).split("\n")[1]
        source = (ROOT / match.group(1)).read_text(encoding="utf-8")
        return f"<!-- example: {match.group(1)} -->\n{fence}\n{source}```\n"

    return EXAMPLE.sub(fill, text)


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        self.text = README.read_text(encoding="utf-8")

    def test_the_example_is_the_one_that_is_built(self):
        self.assertRegex(self.text, EXAMPLE)
        self.assertEqual(self.text, with_examples(self.text),
                         "run test/unit/ScriptsTest/readme_test.py --update")

    def test_a_changed_example_is_seen(self):
        changed = self.text.replace("int main()", "int main(void)", 1)
        self.assertNotEqual(changed, with_examples(changed))

    def test_links_lead_somewhere(self):
        for name in ("README.md", "CONTRIBUTING.md"):
            for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text()):
                self.assertTrue((ROOT / link).exists(), f"{name} links to {link}")

    def test_folders_exist(self):
        folders = re.findall(r"^\| (`[^|]*`) \|", self.text, re.MULTILINE)
        for folder in re.findall(r"`(\w[\w/-]*/)`", " ".join(folders)):
            self.assertTrue((ROOT / folder).is_dir(), folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        README.write_text(with_examples(README.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
