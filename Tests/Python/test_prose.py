"""Tests of script/prose: each rule finds its fault and leaves good sentences alone."""

import tempfile
import unittest
from pathlib import Path

import prose
import prose_links
import prose_text
from pygments.lexers import BashLexer, SwiftLexer


class Sentences(unittest.TestCase):
    def test_pronouns_in_place_of_nouns(self):
        for bad in (
            "Whoever asks is answered.", "Who asks is answered.", "It keeps what was sent.", "It is closed, whatever comes.",
            "That which waits is sent.", "It tells who did it.", "A place for who comes first.",
        ):
            self.assertTrue(prose.nominal(bad), bad)
        for good in (
            "Who may call it?", "Which rows does it read, and what does it write?", "A user who forgot the password gets a mail.",
            "People, who pay, are told.", "The person to whom it belongs.",
        ):
            self.assertEqual(prose.nominal(good), [], good)

    def test_length(self):
        self.assertEqual(prose.length("One two three."), 3)
        self.assertEqual(prose.length(f"The keys {prose.CODE}, {prose.CODE} and {prose.CODE} – that is all."), 6)

    def test_splitting(self):
        self.assertEqual(len(prose.sentences('It ends, e.g. "so." Then it begins. `x` is new')), 3)

    def test_subjects(self):
        for good in ("kit: fail fast when the server refuses", "docs, script: embed pictures", "api: address the owner"):
            self.assertIsNone(prose.subject_fault(good), good)
        for bad in (
            "Kit: fail fast", "fail fast", "kit: fails fast", "kit: failed", "kit: failing fast", "kit: a test that fails",
            "kit: fix one; fix two", "kit: " + "x" * 70,
        ):
            self.assertIsNotNone(prose.subject_fault(bad), bad)

    def test_glossary(self):
        faults = prose.block_faults(prose_text.Block(1, "Seven turns to the\ndatabase."), prose.rejected_terms())
        self.assertEqual(len(faults), 1)
        self.assertIn("round trip", faults[0])

    def test_terms_are_at_most_forty(self):
        rows = [line for line in (prose.ROOT / "docs/glossary.md").read_text().splitlines() if line.startswith("| ")]
        self.assertLessEqual(len(rows) - 1, 40)


class Blocks(unittest.TestCase):
    def test_markdown(self):
        blocks = prose_text.markdown_blocks("# A `b`\n\nOne\ntwo.\n\n```sh\nwhat\n```\n\n| c | d |\n|---|---|\n| e | f |\n")
        self.assertEqual([block.text for block in blocks], [f"A {prose.CODE}", "One two.", "c", "d", "e", "f"])
        self.assertEqual([block.line for block in blocks][:2], [1, 3])

    def test_comments_on_neighbouring_lines_are_one_text(self):
        source = "/// One\n/// two.\n///\n/// - Three.\nlet a = 1  // four\n\n// five\n"
        blocks = prose_text.source_blocks(source, SwiftLexer, texts=False)
        self.assertEqual([(block.line, block.text) for block in blocks], [(1, "One two."), (4, "Three."), (5, "four"), (7, "five")])

    def test_texts_of_swift(self):
        blocks = prose_text.swift_texts('throw Problem("the server at \\(host) took nothing of it", sql: "SELECT a FROM b WHERE c")')
        self.assertEqual([block.text for block in blocks], [f"the server at {prose.CODE} took nothing of it"])

    def test_shell(self):
        blocks = prose_text.source_blocks("#!/usr/bin/env bash\n# One.\necho '# two'\n", BashLexer, texts=False)
        self.assertEqual([block.text for block in blocks], ["One."])


class Links(unittest.TestCase):
    PAGE = """# A title, and `code`

*Why?* See [one](a.md#b) and ![two](<c d.svg> "x"), not [three](https://example.org) or `[four](d.md)`. <img src="g.webp">

```sh
# [five](e.md)
```
## 410 `resync`
## 410 `resync`
## [Linked](f.md#g-h) 10.11
"""

    def test_anchors_are_those_of_the_code_hosts(self):
        self.assertEqual(
            prose_links.anchors(self.PAGE), {"a-title-and-code", "410-resync", "410-resync-1", "linked-1011"})

    def test_links(self):
        self.assertEqual([link for _, link in prose_links.links(self.PAGE)], ["a.md#b", "c d.svg", "g.webp", "f.md#g-h"])

    def test_faults(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            for name, text in {
                "README.md": "[a](docs/" + "gone.md) [b](docs/" + "a.md#gone)", "ARCHITECTURE.md": "word " * 1501,
                "docs/README.md": "[a](a.md)", "docs/" + "a.md": "# A\n\n*Why?*", "docs/" + "b.md": "# B\n\nNo question.",
            }.items():
                (root / name).write_text(text)
            faults = prose_links.link_faults(root, sorted(root.rglob("*.md")))
            self.assertEqual(len(faults), 5, faults)


if __name__ == "__main__":
    unittest.main()
