"""The tests that a change concerns, for script/test --changed.

A change of a target leads to its tests and to those of the targets above it. One within an area of the service leads to the area's own
suites and to those of the contract, and one of a page to the stories of that page. The gate runs all tests.
"""

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
# The suites of an area lie in a folder of its name. These compare the answers of all areas with the contract.
SERVICE, CONTRACT = "SubTrackServer", ("Areas", "Documentation", "OpenAPI")
# Where a page has no tests of its name, the stories open it.
PAGE, STORIES = re.compile(r"web/js/pages/(\w+)"), "Tests/Web/test_stories.py"
WEB_TEST = re.compile(r"Tests/Web/test_\w+\.py")
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


def area(file: str) -> str | None:
    """The area of the service that a file belongs to: a folder with the area's definition."""
    folder = Path(file).parts[2:3]
    if not file.startswith(f"Sources/{SERVICE}/") or not (ROOT / "Sources" / SERVICE / folder[0] / f"{folder[0]}Area.swift").exists():
        return None
    return folder[0]


def suites_of(areas: set[str]) -> list[str]:
    """The suites of areas, and those of the contract."""
    tests = ROOT / "Tests" / f"{SERVICE}Tests"
    files = [file for folder in (*sorted(areas), *CONTRACT) for file in sorted((tests / folder).rglob("*Tests.swift"))]
    return [rf"{SERVICE}Tests\.{file.stem}/" for file in files]


def web_tests(files: list[str]) -> list[str] | None:
    """The files of the web app's tests that a change concerns; None: all of them."""
    found: set[str] = set()
    for file in filter(WEB.match, files):
        if page := PAGE.match(file):
            own = [str(one.relative_to(ROOT)) for one in (ROOT / "Tests/Web").glob(f"test_{page[1].removesuffix('s')}*.py")]
            found |= {*(own or [STORIES]), "Tests/Web/test_types.py"}
        elif WEB_TEST.fullmatch(file):
            found |= {file} if (ROOT / file).exists() else set()
        else:
            return None
    return sorted(found)


def concerned(files: list[str], targets: Targets) -> list[str]:
    """Patterns of the tests that changed files concern."""
    if any(re.fullmatch(r"Package\.(swift|resolved)", file) for file in files):
        return [rf"{name}\." for name in sorted(targets.tests)]
    by_target: dict[str, list[str]] = {}
    areas = {one for file in files if (one := area(file))}
    for file in files:
        if area(file):
            continue
        if home := targets.of(file):
            by_target.setdefault(home, []).append(file)
    patterns = []
    for test in sorted(targets.tests):
        if (targets.below(test) - {test}) & by_target.keys():
            patterns.append(rf"{test}\.")
        elif test in by_target:
            patterns += suites(by_target[test], test)
    if areas and rf"{SERVICE}Tests\." not in patterns:
        patterns += [one for one in suites_of(areas) if one not in patterns]
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
    """Prints a line for each pattern, and one that says "web" with files of tests, or with none for all, where the web app has changed."""
    try:
        files = changed(revision)
    except subprocess.CalledProcessError as error:
        sys.exit(f"script/test: {error.stderr.strip()}: --changed wants a revision, which is main unless named")
    targets = Targets(json.loads(output("swift", "package", "dump-package")))
    for pattern in concerned(files, targets):
        print(f"tests {pattern}")
    if any(WEB.match(file) for file in files):
        print("web", *(web_tests(files) or []))


if __name__ == "__main__":
    main(sys.argv[1])
