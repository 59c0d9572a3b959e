"""Whether tests judge how quick things are: where SUBTRACKIT_WEB_FIGURES is set, on a quiet machine. Else they print it."""

import os

JUDGED = bool(os.environ.get("SUBTRACKIT_WEB_FIGURES"))


def figure(name, value, goal, unit="ms"):
    """Prints a figure with its goal, and judges it where that is asked for."""
    print(f"{name}: {value:.0f} {unit}, goal {goal} {unit}")
    assert value <= goal or not JUDGED, f"{name}: {value:.0f} {unit}"
