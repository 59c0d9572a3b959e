"""How long tests wait for what should come, and waiting for what playwright cannot wait for."""

import threading
import time

from playwright.sync_api import Error

# What comes comes long before on a machine that is not busy. One that is must not change what a test says.
SECONDS = 60
LONG = SECONDS * 1000


def awaited(test, page=None):
    """Waits for what happens outside of a page, or with a page for what a look at it tells. Gives what the test gives."""
    end = time.monotonic() + SECONDS
    while not (found := test()):
        assert time.monotonic() < end, "it did not come"
        page.wait_for_timeout(50) if page else threading.Event().wait(0.05)
    return found


def promised(page, expression):
    """Waits until a function's promise gives something true. `page.wait_for_function` takes a promise for an answer that is true already."""
    last = None

    def look():
        nonlocal last
        try:
            last = page.evaluate(expression)
        except Error as error:
            # The page may be loaded anew at this moment.
            last = error
            return False
        return last
    try:
        awaited(look, page)
    except AssertionError:
        raise AssertionError(f"{expression} does not hold: {last}") from None
