"""The tests that a change concerns, for script/test --changed: those of changed targets and of the targets above them."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The folder that a plugin compiles into a target.
COMPILED = {"sql": "SubTrackSQL"}
# Suites that read files beside the targets. No other depends on the content of web/.
READERS = {
    "docs": [r"SubTrackServerTests\.DocumentationTests/", r"SubTrackServerTests\.AddressStateTests/",
             r"SubTrackKitTests\.ManualTests/", r"SchemaTests\.ByHandTests/"],
    "examples": [r"SubTrackServerTests\.ExampleTests/"],
    "web": [r"SubTrackServerTests\.Web[A-Za-z]*Tests/"],
}
# All tests know the support. It uses the service, which most of those below the service never start.
SUPPORT = "SubTrackTestSupport"
WEB = re.compile(r"web/|Tests/Web/|Tests/web-requirements\.txt$|script/web-tests$")


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


class Targets:
    """The targets of Package.swift, with their folders and their arrows."""

    def __init__(self, description: dict):
        self.uses: dict[str, set[str]] = {}
        self.folders: dict[str, str] = {}
        self.tests: set[str] = set()
        homes = {"test": "Tests", "plugin": "Plugins"}
        for target in description["targets"]:
            name, kind = target["name"], target["type"]
            self.folders[name] = target.get("path") or f"{homes.get(kind, 'Sources')}/{name}"
            named = [one["byName"][0] for one in target["dependencies"] if "byName" in one]
            named += [one["plugin"][0] for one in target.get("pluginUsages") or []]
            self.uses[name] = set(named)
            if kind == "test":
                self.tests.add(name)

    def of(self, file: str) -> str | None:
        """The target that a file belongs to."""
        if (compiled := COMPILED.get(file.partition("/")[0])) in self.uses:
            return compiled
        homes = [name for name, folder in self.folders.items() if file.startswith(f"{folder}/")]
        return max(homes, key=lambda name: len(self.folders[name]), default=None)

    def below(self, name: str) -> set[str]:
        """The targets that one is built from, itself among them. The support's own are left out."""
        found, left = set(), [name]
        while left:
            if (one := left.pop()) not in found:
                found.add(one)
                left += [] if one == SUPPORT else self.uses.get(one, ())
        return found


def suites(files: list[str], target: str) -> list[str]:
    """The suites of changed files where each file holds its own; else all tests of the target."""
    filters = []
    for file in files:
        name = Path(file).stem
        if not name.endswith("Tests") or not (ROOT / file).exists() or f"struct {name}" not in (ROOT / file).read_text():
            return [rf"{target}\."]
        filters.append(rf"{target}\.{name}/")
    return filters


def concerned(files: list[str], targets: Targets) -> list[str]:
    """Patterns of the tests that changed files concern."""
    if any(re.fullmatch(r"Package\.(swift|resolved)", file) for file in files):
        return [rf"{name}\." for name in sorted(targets.tests)]
    by_target: dict[str, list[str]] = {}
    for file in files:
        if home := targets.of(file):
            by_target.setdefault(home, []).append(file)
    patterns = []
    for test in sorted(targets.tests):
        if (targets.below(test) - {test}) & by_target.keys():
            patterns.append(rf"{test}\.")
        elif test in by_target:
            patterns += suites(by_target[test], test)
    for folder, readers in READERS.items():
        if any(file.startswith(f"{folder}/") for file in files):
            patterns += [one for one in readers if one.partition("\\")[0] + r"\." not in patterns]
    return patterns


def changed(revision: str) -> list[str]:
    """Files that differ from the point where this branch left a revision, those that git does not know among them."""
    base = output("git", "merge-base", revision, "HEAD").strip()
    files = output("git", "diff", "--name-only", "--no-renames", base).split("\n")
    return sorted({*files, *output("git", "ls-files", "--others", "--exclude-standard").split("\n")} - {""})


def main(revision: str) -> None:
    """Prints a line for each pattern, and one that says "web" where the web app has changed."""
    try:
        files = changed(revision)
    except subprocess.CalledProcessError as error:
        sys.exit(f"script/test: {error.stderr.strip()}: --changed wants a revision, which is main unless named")
    targets = Targets(json.loads(output("swift", "package", "dump-package")))
    for pattern in concerned(files, targets):
        print(f"tests {pattern}")
    if any(WEB.match(file) for file in files):
        print("web")


if __name__ == "__main__":
    main(sys.argv[1])
