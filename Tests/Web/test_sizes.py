"""The weight of the first view on the wire."""

import gzip
import re

from support.front import WEB

COMMENT = re.compile(r"^[ \t]*//.*\n|^[ \t]*/\*\*?(?:[^*]|\*(?!/))*\*/[ \t]*\n?", re.M)


def weight(text):
    """Compressed, without the comments that the service leaves out too."""
    return len(gzip.compress(COMMENT.sub("", text).encode(), 9))


def modules(path, found):
    """A module and all that it imports statically."""
    if path in found:
        return found
    found[path] = path.read_text()
    for name in re.findall(r'^(?:import|export)\b[^"\n]*"(\.[^"]+)"', found[path], re.M):
        modules((path.parent / name).resolve(), found)
    return found


def test_first_view_is_light():
    script = sum(weight(text) for text in modules(WEB / "js/app.js", {}).values()) + weight((WEB / "js/theme.js").read_text())
    style = sum(weight(path.read_text()) for path in (WEB / "css").glob("*.css"))
    shell = weight((WEB / "index.html").read_text()) + weight((WEB / "icons/mark.svg").read_text())
    print(f"script {script}, style {style}, shell {shell} bytes")
    assert script <= 60 * 1024
    assert style <= 15 * 1024
    assert script + style + shell <= 100 * 1024


def test_icons_are_small():
    assert sum(path.stat().st_size for path in (WEB / "icons").iterdir()) <= 64 * 1024
