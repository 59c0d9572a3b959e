"""Waiting for a promise. `page.wait_for_function` takes a promise for an answer that is true already."""

import time

from playwright.sync_api import Error


def promised(page, expression, patience=15):
    """Waits until a function's promise gives something true; for seconds at most."""
    deadline, last = time.monotonic() + patience, None
    while time.monotonic() < deadline:
        try:
            last = page.evaluate(expression)
            if last:
                return
        except Error as error:
            # The page may be loaded anew at this moment.
            last = error
        page.wait_for_timeout(20)
    raise AssertionError(f"{expression} does not hold: {last}")
