"""What holds of the program's text: its types, and that the rules know of no page, no clock and no request."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
# What js/core may not name: it is given everything.
WORLD = re.compile(r"\b(?:document|window|navigator|location|fetch|indexedDB|localStorage|setTimeout|Date\.now|new Date|performance|Math\.random|crypto)\b")


def test_the_rules_are_given_everything():
    for path in sorted((WEB / "js/core").glob("*.js")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
        assert not WORLD.search(text), (path.name, WORLD.search(text)[0])
        for name in re.findall(r"""from ["']([^"']+)["']""", text):
            assert re.fullmatch(r"\./\w+\.js", name), (path.name, name)


# What is checked, and how strictly: pages name the types of what they are given, and leave those of small helpers to be inferred.
PARTS = {"data": (["js/kernel/**/*.js", "js/core/**/*.js", "js/data/**/*.js"], True), "pages": (["js/**/*.js"], False)}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("tsc"), reason="no tsc here (node-typescript)")
@pytest.mark.full
@pytest.mark.parametrize("part", ["data", "pages"])
def test_types(part, tmp_path):
    files, isStrict = PARTS[part]
    settings = {
        "compilerOptions": {
            "checkJs": True, "allowJs": True, "strict": True, "noImplicitAny": isStrict, "noEmit": True, "target": "ESNext", "module": "ESNext",
            "moduleResolution": "node", "lib": ["ESNext", "DOM", "DOM.Iterable"], "skipLibCheck": True, "types": []},
        "include": [str(WEB / pattern) for pattern in [*files, "types/*.d.ts"]]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(["tsc", "-p", str(tmp_path / "tsconfig.json")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-4000:]
