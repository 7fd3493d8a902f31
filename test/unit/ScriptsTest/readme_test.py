# README.md and docs/ show examples as they are built, and what they name is there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 readme_test.py            checks
#   python3 readme_test.py --update   copies the examples into the pages
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
INSTALL = ROOT / "cmake" / "LintelInstall.cmake"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```\n", re.DOTALL)


def with_examples(text):
    """`text` with the source of each example between its fences."""

    def fill(match):
        fence = match.group(0).split("\n")[1]
        source = (ROOT / match.group(1)).read_text(encoding="utf-8")
        return f"<!-- example: {match.group(1)} -->\n{fence}\n{source}```\n"

    return EXAMPLE.sub(fill, text)


def anchors(text):
    """What a link into a page can name: its headings, as they are spelt in links, and its ids."""
    prose = FENCED.sub("", text)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    spelt = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return spelt | set(re.findall(r'<a id="([^"]+)">', prose))


def unindexed(text):
    """Numbers of decisions whose entry has no id, or not one row of the index."""
    numbers = re.findall(r"^(?:<a id.*>)?\*\*(\d+)\. ", text, re.MULTILINE)
    return [number for number in numbers
            if text.count(f'\n<a id="d{number}"></a>**{number}. ') != 1
            or text.count(f"\n| [{number}](#d{number}) | ") != 1]


def links(page):
    """Pairs of a path, empty within the page, and an anchor."""
    return re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", page.read_text(encoding="utf-8"))


def packaged_pages():
    """Those of docs/ that the package has, in the same places."""
    listed = re.search(r"set\(LINTEL_PACKAGED_PAGES\s([^)]*)\)", INSTALL.read_text(encoding="utf-8"))
    return [ROOT / "docs" / f"{page}.md" for page in listed.group(1).split()]


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        self.text = README.read_text(encoding="utf-8")

    def test_examples_are_those_that_are_built(self):
        self.assertRegex(self.text, EXAMPLE)
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            self.assertEqual(text, with_examples(text),
                             "run test/unit/ScriptsTest/readme_test.py --update")

    def test_a_changed_example_is_seen(self):
        changed = self.text.replace("int main()", "int main(void)", 1)
        self.assertNotEqual(changed, with_examples(changed))

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for path, anchor in links(page):
                target = page.parent / path if path else page
                self.assertTrue(target.exists(), f"{page} links to {path}")
                if anchor:
                    self.assertIn(anchor, anchors(target.read_text(encoding="utf-8")),
                                  f"{page} links to {path}")

    def test_comments_in_code_are_no_headings(self):
        page = "# A title\n```sh\n# a comment\n```\n- item\n  ```sh\n# another\n  ```\n## Its end\n"
        self.assertEqual(anchors(page), {"a-title", "its-end"})

    def test_decisions_are_in_their_index(self):
        text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
        self.assertEqual(unindexed(text), [])
        self.assertEqual(unindexed(text.replace('<a id="d90"></a>', "")), ["90"])
        self.assertEqual(unindexed(text.replace("| [7](#d7) |", "| 7 |")), ["7"])
        self.assertIn("d90", anchors(text))

    def check_links_among(self, pages):
        for page in pages:
            for path, _ in links(page):
                if path:
                    self.assertIn((page.parent / path).resolve(), pages, f"{page} links to {path}")

    def test_links_of_what_is_installed_lead_to_what_is(self):
        self.assertIn("foreach(page ${LINTEL_PACKAGED_PAGES} cpp-api)",
                      INSTALL.read_text(encoding="utf-8"))
        self.check_links_among([*packaged_pages(), ROOT / "docs" / "cpp-api.md"])

    def test_links_of_the_package_lead_to_what_is_in_it(self):
        pages = packaged_pages()
        self.assertIn(ROOT / "docs" / "package.md", pages)
        self.check_links_among(pages)
        # It lies at the top, too, where other paths would hold.
        self.assertEqual([path for path, _ in links(ROOT / "docs" / "package.md") if path], [])

    def test_files_of_the_architecture_exist(self):
        folders = ("include", "dialects", "lib", "tools", "test")
        there = {path.name for folder in folders for path in (ROOT / folder).rglob("*.*")}
        text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
        named = re.findall(r"`(\w+\.(?:cpp|h))`", text)
        self.assertIn("Loader.cpp", named)
        self.assertEqual([name for name in named if name not in there], [])

    def test_folders_exist(self):
        folders = re.findall(r"^\| (`[^|]*`) \|", self.text, re.MULTILINE)
        for folder in re.findall(r"`(\w[\w/-]*/)`", " ".join(folders)):
            self.assertTrue((ROOT / folder).is_dir(), folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        for page in PAGES:
            page.write_text(with_examples(page.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
