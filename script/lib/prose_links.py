"""Links between pages: files and headings that are not there, and pages that nobody finds."""

import re
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark").enable("table")
MENTION = re.compile(r"\b((?:docs|examples)/[A-Za-z0-9_/-]+\.(?:md|svg|py|1|8))\b")


def anchors(text: str) -> set[str]:
    """Anchors of headings, as the code hosts make them."""
    found: set[str] = set()
    tokens = MARKDOWN.parse(text)
    for heading, inline in zip(tokens, tokens[1:]):
        if heading.type != "heading_open":
            continue
        plain = "".join(child.content for child in inline.children if child.type in ("text", "code_inline"))
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number, unique = 0, slug
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return found


def links(text: str) -> list[tuple[int, str]]:
    """Targets of links and pictures that are no addresses of other sites, with their lines."""
    found = []
    for token in MARKDOWN.parse(text):
        for child in token.children or [] if token.type == "inline" else []:
            target = child.attrGet("href") or child.attrGet("src")
            pictures = re.findall(r'(?:src|href)="([^"]+)"', child.content) if child.type == "html_inline" else []
            for one in filter(None, [target, *pictures]):
                if not re.match(r"[a-z]+:", str(one)):
                    found.append(((token.map or [0])[0] + 1, unquote(str(one))))
    return found


def link_faults(root: Path, files: list[Path]) -> list[str]:
    """Dead links and anchors, mentions of pages that are not there, pages outside of the index, and too long a README."""
    faults: list[str] = []
    pages = [path for path in files if path.suffix == ".md"]
    known = {page: anchors(page.read_text()) for page in pages}
    linked: set[Path] = set()
    for page in pages:
        name = page.relative_to(root).as_posix()
        for line, link in links(page.read_text()):
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if not target.exists():
                faults.append(f"{name}:{line}: there is no file {file}")
            elif anchor and anchor not in known.get(target, set()):
                faults.append(f"{name}:{line}: {file or name} has no heading #{anchor}")
            if name in ("docs/README.md", "docs/contribute/README.md"):
                linked.add(target)
    for page in pages:
        name = page.relative_to(root).as_posix()
        if not name.startswith("docs/") or name == "docs/README.md":
            continue
        if page not in linked:
            faults.append(f"{name}: the page is not in docs/README.md, nor in docs/contribute/README.md")
        body = [line for line in page.read_text().splitlines() if line and not line.startswith("#")]
        if not name.startswith("docs/decisions/") and not (body and re.match(r"\*[^*]+\?\*", body[0])):
            faults.append(f"{name}: the page does not begin with its question, as *Which … ?*")
    for path in files:
        if path.relative_to(root).parts[0] not in ("Sources", "script", "deploy", "docs", "sql", "web", "Tests"):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for mention in sorted(set(MENTION.findall(text))):
            if not (root / mention).exists():
                faults.append(f"{path.relative_to(root)}: names {mention}, which is not there")
    words = len((root / "README.md").read_text().split())
    if words > 1000:
        faults.append(f"README.md: {words} words, at most 1,000")
    words = len((root / "ARCHITECTURE.md").read_text().split())
    if words > 1500:
        faults.append(f"ARCHITECTURE.md: {words} words, at most 1,500")
    return faults
