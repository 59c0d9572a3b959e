"""The folders of a target and their arrows: a folder uses the types that another one declares.

Comments and texts do not count. A type's name stands for its folder; a name that two folders declare is left out.
"""

import collections
import pathlib
import re

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)", re.MULTILINE)
INTERPOLATION = re.compile(r"\\\(((?:[^()]|\([^()]*\))*)\)")


def code(text):
    """The text of a file without comments, and of its strings the interpolations alone."""
    text = re.sub(r"//[^\n]*", "", text)

    def parts(match):
        return " ".join(INTERPOLATION.findall(match.group(0)))

    text = re.sub(r'"""[\s\S]*?"""', parts, text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', parts, text)


class Folders:
    """The arrows between the folders of a target."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        texts = {path: code(path.read_text()) for path in sorted(self.root.rglob("*.swift"))}
        homes = collections.defaultdict(set)
        for path, text in texts.items():
            for name in DECLARATION.findall(text):
                homes[name].add(self.folder(path))
        #: For each pair of folders the files that use a type of the other one, with its name.
        self.uses = collections.defaultdict(set)
        for path, text in texts.items():
            for name in set(re.findall(r"\b[A-Z]\w*", text)) & homes.keys():
                if len(homes[name]) == 1:
                    home, = homes[name]
                    if home != self.folder(path):
                        self.uses[self.folder(path), home].add((str(path.relative_to(self.root)), name))
        self.names = sorted({self.folder(path) for path in texts})

    def folder(self, path):
        """The first folder below the root; a file of the root itself is in ``.``."""
        parts = path.relative_to(self.root).parts
        return parts[0] if len(parts) > 1 else "."

    def arrows(self, name):
        """The folders that one uses."""
        return sorted(other for one, other in self.uses if one == name)

    def cycles(self):
        """The groups of folders that reach each other (Tarjan's strongly connected components)."""
        index, low, stack, found = {}, {}, [], []

        def visit(name):
            index[name] = low[name] = len(index)
            stack.append(name)
            for other in self.arrows(name):
                if other not in index:
                    visit(other)
                    low[name] = min(low[name], low[other])
                elif other in stack:
                    low[name] = min(low[name], index[other])
            if low[name] == index[name]:
                group = []
                while not group or group[-1] != name:
                    group.append(stack.pop())
                if len(group) > 1:
                    found.append(sorted(group))

        for name in self.names:
            if name not in index:
                visit(name)
        return found
