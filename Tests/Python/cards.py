"""Judges vCards and numbers by public libraries, for VCardPythonTests.

usage: cards.py parse < CARDS       the names, numbers and days of each card, by vobject: JSON, one card to a line
       cards.py plans               the numbering plans of countries, by phonenumbers: JSON, by country
       cards.py numbers             numbers as countries write them, each with its E.164 form: JSON, one to a line
"""

import json
import sys


def parse():
    import vobject

    for card in vobject.readComponents(sys.stdin.buffer.read().decode()):
        def texts(name):
            return [line.value for line in card.contents.get(name, [])]

        name = card.n.value
        print(json.dumps({
            "family": name.family, "given": name.given, "additional": name.additional,
            "fn": card.fn.value, "uid": card.uid.value, "tel": texts("tel"), "email": texts("email"),
            "note": texts("note"), "bday": texts("bday"),
            "adr": [[line.value.extended, line.value.street, line.value.city, line.value.region, line.value.code,
                     line.value.country] for line in card.contents.get("adr", [])],
        }))


def plans():
    import phonenumbers
    from phonenumbers import PhoneMetadata

    found = {}
    for region in phonenumbers.SUPPORTED_REGIONS:
        data = PhoneMetadata.metadata_for_region(region)
        lengths = [n for kind in (data.fixed_line, data.mobile) if kind for n in kind.possible_length]
        found[region] = {
            "code": str(data.country_code), "trunk": data.national_prefix or "", "shortest": min(lengths),
            "longest": max(lengths),
        }
    print(json.dumps(found))


def numbers():
    import phonenumbers
    from phonenumbers import PhoneNumberFormat as Form, PhoneNumberType as Kind

    german = phonenumbers.parse("+4930123456")
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        numbers = [phonenumbers.example_number_for_type(region, kind) for kind in (Kind.FIXED_LINE, Kind.MOBILE)]
        texts = [(phonenumbers.format_out_of_country_calling_number(german, region), german)]
        for number in filter(None, numbers):
            texts += [(phonenumbers.format_number(number, form), number) for form in (Form.NATIONAL, Form.INTERNATIONAL)]
        for text, number in texts:
            whole = phonenumbers.format_number(number, Form.E164)
            print(json.dumps({"country": region, "text": text, "whole": whole}))


{"parse": parse, "plans": plans, "numbers": numbers}[sys.argv[1]]()
