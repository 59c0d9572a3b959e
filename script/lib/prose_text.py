"""Blocks of text in files: paragraphs of Markdown, comments and texts for people in sources."""

import re
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from pygments.lexers import BashLexer, CssLexer, JavascriptLexer, MySqlLexer, PythonLexer, SwiftLexer
from pygments.token import Comment

CODE = "\N{OBJECT REPLACEMENT CHARACTER}"
LEXERS = {
    ".swift": SwiftLexer,
    ".sql": MySqlLexer,
    ".js": JavascriptLexer,
    ".css": CssLexer,
    ".py": PythonLexer,
    ".sh": BashLexer,
}
# Files that are made by programs, or that hold other people's words.
LEFT_OUT = re.compile(r"(^|/)(Golden|Fixtures|types|Stories)/|^docs/man/|^sql/(reference|catalog)/data|\.min\.")
MARKDOWN = MarkdownIt("commonmark").enable("table")


class Block(NamedTuple):
    line: int
    text: str


def blocks_of(path: Path, name: str) -> list[Block] | None:
    """Blocks of a file, None where it is not one that people write."""
    if LEFT_OUT.search(name):
        return None
    if path.suffix == ".md":
        return markdown_blocks(path.read_text())
    lexer = LEXERS.get(path.suffix)
    if not lexer and path.suffix == "" and path.open("rb").read(2) == b"#!":
        first = path.read_text(errors="replace").split("\n", 1)[0]
        lexer = BashLexer if "bash" in first else PythonLexer if "python" in first else None
    if not lexer:
        return None
    return source_blocks(path.read_text(), lexer, texts=name.startswith("Sources/") and path.suffix == ".swift")


def markdown_blocks(text: str, first: int = 1) -> list[Block]:
    """Paragraphs, items, cells and headings, with a sign in place of each piece of code."""
    blocks = []
    heads: list[str] = []
    column = -1
    for token in MARKDOWN.parse(text):
        if token.type == "thead_open":
            heads = []
        if token.type == "tr_open":
            column = -1
        if token.type in ("th_open", "td_open"):
            column += 1
        if token.type == "table_close":
            column = -1
        if token.type != "inline":
            continue
        if column == len(heads):
            heads.append(token.content)
        # Columns of bad examples.
        if column >= 0 and heads[column] in ("bad", "not"):
            continue
        parts = []
        for child in token.children or []:
            if child.type == "text":
                parts.append(child.content)
            elif child.type == "code_inline":
                parts.append(CODE)
            elif child.type in ("softbreak", "hardbreak"):
                parts.append(" ")
        if plain := "".join(parts).strip():
            blocks.append(Block(first + (token.map[0] if token.map else 0), plain))
    return blocks


def source_blocks(text: str, lexer: type, texts: bool) -> list[Block]:
    """Comments that stand on neighbouring lines are one text in Markdown; a string for people is a block of its own."""
    blocks: list[Block] = []
    lines: list[str] = []
    began, last = 0, -1

    def end() -> None:
        if lines:
            blocks.extend(markdown_blocks("\n".join(lines), began))
            lines.clear()

    for line, value, is_behind_code in comments(text, lexer):
        if is_behind_code or line != last + 1:
            end()
            began = line
        for last, part in enumerate(value.rstrip("\n").split("\n"), line):
            part = without_marks(part)
            if re.match(r"  +\S.*  ", part):  # the columns of a script's help
                end()
                began = last
            lines.append(part.strip() if re.match(r"  +[^\s-]", part) and lexer is BashLexer else part)
    end()
    if texts:
        blocks.extend(swift_texts(text))
    return blocks


def comments(text: str, lexer: type) -> list[tuple[int, str, bool]]:
    """Comments with their lines, and whether code is in front of them. Lexers may cut one comment into several tokens."""
    found: list[tuple[int, str, bool]] = []
    line, inside, code = 1, False, ""
    for kind, value in lexer(stripnl=False, ensurenl=False).get_tokens(text):
        is_comment = kind in Comment and kind not in Comment.Preproc and kind not in Comment.Hashbang
        if is_comment and not value.startswith("#!"):
            if inside:
                found[-1] = (found[-1][0], found[-1][1] + value, found[-1][2])
            else:
                found.append((line, value, bool(code.strip())))
        code = value.rsplit("\n", 1)[1] if "\n" in value else code + value
        inside = is_comment and not value.endswith("\n")
        line += value.count("\n")
    return found


def without_marks(line: str) -> str:
    line = re.sub(r"^\s*(///?|/\*\*?|\*/|\*(?=\s|$)|--|#+)\s?", "", line)
    line = re.sub(r"\s*\*/\s*$", "", line)
    return "" if re.match(r"(MARK:|swift-format-ignore|shellcheck |swift-tools-version|prettier|eslint|@ts-|@type|@param)", line) else line


def swift_texts(text: str) -> list[Block]:
    """Strings of Swift on one line that look like English: they begin with a letter and have at least five words."""
    blocks = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("//") or '"' not in line:
            continue
        bare = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", CODE, line)
        for match in re.finditer(r'"((?:[^"\\]|\\.)*)"', bare):
            value = match[1].replace('\\"', "'")
            english = re.match(rf"[A-Za-z{CODE}]", value) and len(re.findall(r"[a-z]{2,}", value)) >= 5
            if english and not re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|GRANT|SET|SHOW|WITH|ALTER)\b", value):
                blocks.append(Block(number, value))
    return blocks
