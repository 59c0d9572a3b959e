"""Steps of script/docs that read pages: copies for MkDocs, runnable blocks, a library's symbol graph."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

from markdown_it import MarkdownIt
from prose_links import links

ROOT = Path(__file__).resolve().parents[2]
TOP = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md", "SECURITY.md", "CHANGELOG.md"]


def all_pages() -> list[Path]:
    return [ROOT / name for name in TOP] + sorted((ROOT / "docs").rglob("*.md"))


def copy(folder: str) -> None:
    """Copies all pages and the files that they link to, in the tree of the repository."""
    files = set(all_pages())
    for page in list(files):
        for _, link in links(page.read_text()):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.is_file() and target.is_relative_to(ROOT):
                files.add(target)
    for file in files:
        copied = Path(folder) / file.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)


def runnable_blocks(page: Path) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(page.read_text())
    return [token.content for token in tokens if token.type == "fence" and token.info.split()[:2] == ["sh", "runnable"]]


def runnable() -> None:
    """Prints the pages that have runnable blocks."""
    for page in all_pages():
        if runnable_blocks(page):
            print(page.relative_to(ROOT))


def blocks(page: str, url: str, mails: str) -> None:
    """Prints a page's runnable blocks, with the service's address and the folder of mails in place of the documented ones."""
    script = "\n".join(runnable_blocks(ROOT / page))
    print(script.replace("http://127.0.0.1:8080", url).replace("/tmp/mails", mails))


def graph(library: str, programs: str, folder: str) -> None:
    """Has the compiler write the symbol graph of a library that was built."""
    built = Path(programs)
    modules = [f"-I{built}/Modules", f"-I{built}"]
    # C targets have a map of their own beside their headers, or one that SwiftPM writes.
    maps = {path.parent.name: path for path in (ROOT / "Sources").glob("C*/module.modulemap")}
    for checkouts in [folder / "checkouts" for folder in built.resolve().parents[:2]]:
        maps |= {path.parents[1].name: path for path in checkouts.glob("*/Sources/*/include/module.modulemap")}
        maps |= {path.parent.name: path for path in checkouts.glob("*/Sources/*/module.modulemap")}
    maps |= {path.parent.name: path for path in built.glob("*.build/module.modulemap")}
    for module_map in maps.values():
        modules += ["-Xcc", f"-fmodule-map-file={module_map}"]
    target = f"{platform.machine()}-unknown-linux-gnu"
    command = ["swift", "symbolgraph-extract", "-module-name", library, "-target", target, "-output-dir", folder]
    subprocess.run([*command, "-minimum-access-level", "public", "-skip-synthesized-members", *modules], check=True)


if __name__ == "__main__":
    {"copy": copy, "runnable": runnable, "blocks": blocks, "graph": graph}[sys.argv[1]](*sys.argv[2:])
