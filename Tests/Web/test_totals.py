"""Totals over several currencies: with the rate's day where there are rates, and without a sum where one is missing."""

import os
import re

import pytest
from support.door import Door
from support.front import Front
from support.person import Keeper, Person


@pytest.fixture(scope="module")
def rated(own_service):
    own_service.sql("INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', CURDATE(), 2), ('GBP', CURDATE(), 0.5);")
    made = Front(own_service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(own_service.port)
    yield own_service, made
    made.close()


def ledger(browser, rated, said, *prices):
    """What Today says of subscriptions that are paid monthly, as names and values, and the sentence below."""
    service, way = rated
    one = Keeper(service)
    for number, (fee, currency) in enumerate(prices):
        one.own(f"Own {number}", fee, currency=currency)
    ada = Person(browser, way.url, token=one.token, locale="en-GB")
    page = ada.go("/")
    ada.stocked()
    if said:
        # The page claims no total before it knows the rates: nothing else is said before.
        page.locator(".ledger p.small").filter(has_text=re.compile(r"\w")).wait_for()
        assert re.search(said, page.locator(".ledger p.small").inner_text())
    page.locator(".ledger dl > div").first.wait_for()
    rows = page.locator(".ledger dl > div").evaluate_all("(all) => all.map((one) => [...one.children].map((part) => part.textContent.trim()))")
    said = page.locator(".ledger p.small").all_inner_texts()
    ada.go("/spending")
    page.locator("svg.columns").wait_for()
    figures = page.locator(".figures dd").all_inner_texts()
    text = page.locator("main").inner_text()
    ada.close()
    return dict(rows), "".join(said), figures, text


def test_a_total_names_the_day_of_its_rates(browser, rated):
    rows, said, _, text = ledger(browser, rated, "Exchange rates of", ("10.00", "EUR"), ("8.00", "USD"), ("1.00", "GBP"))
    assert (rows["Per month in EUR"], rows["Per month in USD"]) == ("€10.00", "US$8.00")
    # 10 + 8/2 + 1/0.5.
    assert [value for name, value in rows.items() if value == "€16.00"], rows
    assert re.search(r"Exchange rates of \d", said)
    assert "All currencies together: €16.00 per month" in text and "Exchange rates of" in text


def test_a_missing_rate_is_named_and_nothing_is_added(browser, rated):
    rows, said, figures, text = ledger(browser, rated, "no exchange rate for KWD,", ("10.00", "EUR"), ("1.250", "KWD"))
    assert said == "There is no exchange rate for KWD, so there is no total."
    assert not [name for name in rows if "together" in name.lower() or "total" in name.lower()], rows
    assert "There is no exchange rate for KWD" in text and "All currencies together" not in text
    # Each figure is of one currency alone.
    assert all(("€" in value) != ("KWD" in value) for value in figures), figures


def test_one_currency_needs_no_rate(browser, rated):
    rows, said, _, _ = ledger(browser, rated, "", ("10.00", "EUR"), ("5.00", "EUR"))
    assert sorted(rows.values()) == ["€15.00", "€180.00"] and "rate" not in said
