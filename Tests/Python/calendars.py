"""Reads a calendar by public libraries, for CalendarPythonTests.

usage: calendars.py icalendar < CALENDAR    its events, by icalendar: JSON, one event to a line
       calendars.py vobject < CALENDAR      the same, by vobject

An event has its uid, its sequence, its days, its summary, and its first five days from 2027 on.
"""

import datetime
import json
import sys

from dateutil import rrule

FIRST = datetime.datetime(2027, 1, 1)


def days(start, rule):
    """The first five days from 2027 on."""
    if rule is None:
        return [start.isoformat()]
    first = datetime.datetime.combine(start, datetime.time())
    return [day.date().isoformat() for day in rrule.rrulestr(rule, dtstart=first).xafter(FIRST, count=5, inc=True)]


def by_icalendar(data):
    import icalendar

    calendar = icalendar.Calendar.from_ical(data)
    assert calendar["VERSION"] == "2.0" and calendar["METHOD"] == "PUBLISH"
    assert not calendar.errors, calendar.errors
    for event in calendar.walk("VEVENT"):
        assert not event.errors, event.errors
        rule = event.get("RRULE")
        yield {
            "uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]), "start": event["DTSTART"].dt.isoformat(),
            "end": event["DTEND"].dt.isoformat(), "summary": str(event["SUMMARY"]),
            "days": days(event["DTSTART"].dt, rule and rule.to_ical().decode()),
        }


def by_vobject(data):
    import vobject

    calendars = list(vobject.readComponents(data.decode()))
    assert len(calendars) == 1
    for event in calendars[0].contents.get("vevent", []):
        rule = event.contents.get("rrule")
        yield {
            "uid": event.uid.value, "sequence": int(event.sequence.value), "start": event.dtstart.value.isoformat(),
            "end": event.dtend.value.isoformat(), "summary": event.summary.value,
            "days": days(event.dtstart.value, rule and rule[0].value),
        }


if __name__ == "__main__":
    read = {"icalendar": by_icalendar, "vobject": by_vobject}[sys.argv[1]]
    for found in read(sys.stdin.buffer.read()):
        print(json.dumps(found))
