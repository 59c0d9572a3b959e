"""Words: every language has each of them, no word is without use, and no page shows English in another language."""

import re

import pytest

from support.extent import full
from support.front import PAGES, WEB

AREAS = ("contacts", "reminders")

CHECK = """async ([areas, languages]) => {
    const whole = async (language) => {
        const all = {}, shared = ["failures", "fields"];
        for (const part of ["", ".more", ...areas.map((area) => `.${area}`)]) {
            const words = (await import(`/__web/js/words/${language}${part}.js`)).default, twice = Object.keys(words).filter((key) => key in all && !shared.includes(key));
            if (twice.length) throw new Error(`${language}: ${twice} are there twice`);
            Object.assign(all, words, Object.fromEntries(shared.map((key) => [key, { ...all[key], ...words[key] }])));
        }
        return all;
    };
    const english = await whole("en"), found = [];
    const walk = (mine, theirs, path, language) => {
        for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
            const [one, other] = [mine[key], theirs[key]];
            if (one === undefined || other === undefined) found.push(`${language}: ${path}${key}`);
            else if (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other)) found.push(`${language}: ${path}${key} is of another kind`);
            else if (typeof one === "object") walk(one, other, `${path}${key}.`, language);
            else if (typeof one === "function" && one.length !== other.length) found.push(`${language}: ${path}${key} takes something else`);
        }
    };
    for (const language of languages) walk(english, await whole(language), "", language);
    return { found, keys: Object.keys(english), ofAreas: Object.fromEntries(areas.map((area) => [area, Object.keys(english[area])])) };
}"""


def test_every_language_has_every_word(blank):
    told = blank.evaluate(CHECK, [AREAS, ["de", "zh"]])
    assert told["found"] == []
    used = {key for path in (WEB / "js").rglob("*.js") for key in re.findall(r"\bw\.(\w+)", path.read_text()) if "words" not in path.parent.name}
    assert used == set(told["keys"])
    # Words of an area are asked for by its pages; that of More by the area's name.
    for area in AREAS:
        of_area = {key for path in (WEB / "js").rglob("*.js") for key in re.findall(rf"\bw\.{area}\.(\w+)", path.read_text())} | {"hint"}
        assert of_area == set(told["ofAreas"][area])


@pytest.mark.parametrize(("locale", "typical"), [("de-DE", "€"), full("zh-CN", "¥|€|US")])
def test_no_english_is_left(person, furnished, locale, typical):
    """On every page each longer word of the English texts is missing, names of providers and plans aside."""
    one = furnished()
    ada = person(size="desktop", token=one.token, locale=locale)
    page = ada.page
    texts = {name: "\n".join((WEB / f"js/words/{name}{part}.js").read_text() for part in ("", ".more", *(f".{area}" for area in AREAS))) for name in ("en", locale[:2])}
    english = {word for line in texts["en"].splitlines() for text in re.findall(r'"([^"]*)"', line) for word in re.findall(r"\b[a-z]{5,}\b", text)}
    english = {word for word in english if word not in texts[locale[:2]].lower()}
    row = one.call("GET", "/v1/subscriptions")["subscriptions"][0]["id"]
    for path in ("/", "/subscriptions", f"/subscriptions/{row}", f"/subscriptions/{row}/edit", "/add", "/add/own", "/calendar", "/spending", "/more", "/profile", "/profile/delete", "/deleted", "/contacts", "/contacts/new", "/contacts/import", "/contacts/duplicates", "/sign-in", "/register", "/forgot"):
        ada.turn_to(path)
        assert page.evaluate("document.documentElement.lang") == locale
        shown = page.evaluate("""() => {
            const copy = document.querySelector("#app").cloneNode(true);
            for (const one of copy.querySelectorAll("[translate=no], bdi, select, .note, textarea, svg, .cell, .bar-name, .data, .sub")) one.remove();
            return copy.textContent;
        }""")
        left = {word for word in re.findall(r"\b[a-z]{5,}\b", shown) if word in english}
        assert not left, (path, left)


def test_pages_are_where_the_service_answers():
    """The router's table and the service's are the same."""
    routes = re.findall(r'^  \["(/[^"]*)"', (WEB / "js/app.js").read_text(), re.M)
    assert routes == [page["path"] for page in PAGES]


@pytest.mark.parametrize(("currency", "fee", "shown"), [("JPY", "1200", {"de-DE": "1.200\xa0¥", "zh-CN": "JP¥1,200", "ar-EG": "١٬٢٠٠"}), ("KWD", "12.345", {"de-DE": "12,345\xa0KWD", "ar-EG": "١٢٫٣٤٥"}),
                                                        ("EUR", "99999999999.99", {"de-DE": "99.999.999.999,99\xa0€", "zh-CN": "€99,999,999,999.99"})])
def test_amounts_are_exact(blank, currency, fee, shown):
    """0, 2 and 3 digits, and twelve digits: as each language writes them, not one digit rounded."""
    for locale, text in shown.items():
        written = blank.evaluate("""async ([locale, fee, currency]) => {
            Object.defineProperty(navigator, "languages", { value: [locale], configurable: true });
            const words = await import("/__web/js/parts/words.js");
            await words.speak(null);
            const { money } = await import("/__web/js/parts/format.js");
            return locale.startsWith("ar") ? new Intl.NumberFormat(locale, { style: "currency", currency }).format(fee) : money(fee, currency);
        }""", [locale, fee, currency])
        assert text in written, written
