"""The day on which a test runs. Each test takes it from here, so that a run on another day needs no other change."""

import calendar
import datetime
import zoneinfo

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def today(zone=datetime.timezone.utc):
    """The day in UTC, or in a zone. A run may go on over midnight, so no test keeps it for the next one."""
    return datetime.datetime.now(zone).date()


def day(count=0):
    """A day so many days from today, as text."""
    return (today() + datetime.timedelta(days=count)).isoformat()


def last(month, day, ago=0):
    """The latest such day of a year that is so many days ago, or more."""
    latest = today() - datetime.timedelta(days=ago)
    year = latest.year if (month, day) <= (latest.month, latest.day) else latest.year - 1
    return datetime.date(year, month, day)


def end_of(year, month):
    """The last day of a month."""
    return datetime.date(year, month, calendar.monthrange(year, month)[1])


def days_of_now():
    """What midnight changes: the days in the zones of the tests' browsers."""
    return today(), today(BERLIN)
