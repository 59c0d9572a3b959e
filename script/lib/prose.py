"""The checker behind script/prose: rules of STYLE.md for files of the repository and subjects of commits."""

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from multiprocessing import Pool
from pathlib import Path

from prose_links import link_faults
from prose_text import Block, blocks_of

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 25
CODE = "\N{OBJECT REPLACEMENT CHARACTER}"

# Nouns that a relative "who" may follow. Anywhere else it stands for a noun itself.
PERSONS = set(
    """person people user member operator admin administrator editor author reader visitor stranger attacker owner victim
    caller sender holder contributor maintainer subscriber customer friend somebody someone anybody anyone nobody everybody
    one he she child man woman developer provider""".split()
)
DETERMINERS = set(
    "a an the no two three every each one it this that these those all any both some who what where when".split()
)
NOT_PARTICIPLES = {"embed", "feed", "seed", "need", "exceed", "proceed", "speed", "shed", "bring", "ring", "string", "ping"}
NOT_THIRD_PERSON = {"focus", "canvas", "alias", "bias"}


@cache
def rejected_terms() -> list[tuple[re.Pattern, str]]:
    """Terms in the last column of the glossary's table, each with the term to use."""
    terms = []
    for line in (ROOT / "docs/glossary.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or cells[0] in ("term", "---"):
            continue
        for term in filter(None, (term.strip() for term in cells[2].split(","))):
            pattern = r"\b" + re.escape(term).replace(r"\ ", r"\s+") + r"s?\b"
            terms.append((re.compile(pattern, re.IGNORECASE), cells[0]))
    return terms


def sentences(text: str) -> list[str]:
    """Sentences of a block of text."""
    text = re.sub(r"\b(e\.g|i\.e|etc|vs|cf|ca)\.", lambda match: match[0].replace(".", ""), text)
    return [part for part in re.split(r"(?<=[.!?])[\"'”)*]*\s+(?=[^a-z\s])", text) if part.strip()]


def length(sentence: str) -> int:
    """Words of a sentence. A piece of code is one word, and so is a list of pieces of code."""
    listed = rf"{CODE}(?:(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*/\s*|\s+){CODE})+"
    return len([word for word in re.sub(listed, CODE, sentence).split() if re.search(rf"\w|{CODE}", word)])


def nominal(sentence: str) -> list[str]:
    """Pronouns that stand for a noun in a sentence that is no question."""
    if re.search(r"\?[\"'”)*]*$", sentence.strip()):
        return []
    sentence = re.sub(r'"\w+"', CODE, sentence)  # a word in quotation marks is spoken of
    found = re.findall(r"\b(?:who|whom|what)(?:so)?ever\b|\bwhat\b|\bthat which\b", sentence, re.IGNORECASE)
    for match in re.finditer(r"([\w'-]*)[,(]?\s*\b(who|whom)\b", sentence, re.IGNORECASE):
        before = match[1].lower()
        if before not in PERSONS and before.removesuffix("s") not in PERSONS and before not in ("for", "to", "from", "of"):
            found.append(match[2])
        elif before in ("for", "to", "from", "of") and match[2].lower() == "who":
            found.append(match[2])
    return found


def block_faults(block: Block, terms: list[tuple[re.Pattern, str]]) -> list[str]:
    """Faults of one block of text."""
    faults = []
    for sentence in sentences(block.text):
        for word in nominal(sentence):
            faults.append(f'"{word}" in place of a noun: {sentence[:90]}')
        for pattern, term in terms:
            if match := pattern.search(sentence):
                faults.append(f'"{match[0]}": the glossary says "{term}": {sentence[:90]}')
        if (count := length(sentence)) > LIMIT:
            faults.append(f"a sentence of {count} words: {sentence[:90]}")
    return faults


def subject_fault(subject: str) -> str | None:
    """The fault of a commit's subject, None where it is "area: imperative"."""
    if len(subject) > 72:
        return f"{len(subject)} characters"
    match = re.fullmatch(r"[a-z][a-z0-9 ,/._-]*: (\S+)(.*)", subject)
    if not match:
        return 'it is not "area: imperative"'
    if ";" in subject:
        return "it has a semicolon: one change for each commit"
    verb = match[1].lower().strip(",")
    if verb in DETERMINERS:
        return f'it begins with "{verb}", not with a verb'
    if re.search(r"(ed|ing)$", verb) and verb not in NOT_PARTICIPLES:
        return f'"{verb}" is no imperative'
    if re.search(r"[^su]s$", verb) and verb not in NOT_THIRD_PERSON:
        return f'"{verb}" is no imperative'
    return None


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def commit_faults() -> list[str]:
    """Faults of subjects that can still be mended: of commits that no remote has, or of the last one where there is no remote."""
    try:
        first = git("log", "--diff-filter=A", "--format=%H", "--", "script/lib/prose.py").split()
        if not first:
            return []
        bounds = ["HEAD", "--not", "--remotes"] if git("remote").strip() else ["HEAD^!"]
        # Commits that do not know the checker are left out.
        log = git("log", "--no-merges", "--ancestry-path", "--format=%h %s", f"^{first[-1]}", *bounds)
    except (subprocess.CalledProcessError, FileNotFoundError):
        return []  # a folder without git, such as an unpacked release
    faults = []
    for line in log.splitlines():
        name, subject = line.split(" ", 1)
        if fault := subject_fault(subject):
            faults.append(f"commit {name}: {fault}: {subject}")
    return faults


def tracked(paths: list[str]) -> list[Path]:
    try:
        listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *paths).split("\0")
        return [ROOT / name for name in listed if name and (ROOT / name).is_file()]
    except (subprocess.CalledProcessError, FileNotFoundError):
        found = [path for top in (paths or ["."]) for path in [ROOT / top, *(ROOT / top).rglob("*")]]
        return [path for path in found if path.is_file() and "/." not in str(path.relative_to(ROOT).as_posix())]


def open_places() -> list[str]:
    lines = (ROOT / "script/lib/prose-open.txt").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def place_of(name: str, places: list[str]) -> str | None:
    return next((place for place in places if name == place or name.startswith(place.rstrip("/") + "/")), None)


def faults_of(path: Path) -> tuple[str, list[str] | None]:
    """The name of a file and its faults; None where it is not one that people write."""
    name = path.relative_to(ROOT).as_posix()
    blocks = blocks_of(path, name)
    if blocks is None:
        return name, None
    terms = rejected_terms()
    return name, [f"{name}:{block.line}: {fault}" for block in blocks for fault in block_faults(block, terms)]


def main(arguments: list[str]) -> int:
    show_open = arguments == ["--open"]
    paths = [] if show_open else arguments
    places = [] if paths else open_places()
    faulty: list[str] = []
    allowed: Counter = Counter()
    checked = 0
    # To read sources takes most of the time, and each file is read by itself.
    with Pool() as readers:
        found = readers.map(faults_of, tracked(paths), chunksize=16)
    for name, faults in found:
        if faults is None:
            continue
        checked += 1
        place = place_of(name, places)
        if place:
            allowed[place] += len(faults)
        if faults and (show_open if place else not show_open):
            print("\n".join(faults))
            if not place:
                faulty.append(name)
    if show_open:
        for place in places:
            print(f"{allowed[place]:5} {place}" + ("" if allowed[place] else "  has no fault: take it off the list"))
        return 0
    if not paths:
        for source, faults in (("links", link_faults(ROOT, tracked([]))), ("commits", commit_faults())):
            if faults:
                print("\n".join(faults))
                faulty.append(source)
    if allowed:
        print(f"{sum(allowed.values())} faults in {len(places)} places are allowed for now: script/prose --open", file=sys.stderr)
    print(f"{checked - len(faulty)} passed, {len(faulty)} failed")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
