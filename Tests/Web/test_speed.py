"""How long a store of ten thousand subscriptions takes to open, and what a change of it takes."""

import json
import time

import pytest
from support.figures import JUDGED, figure

COUNT = 10_000


def fill(service, user):
    """Ten thousand subscriptions of many plans, as SQL that an admin types."""
    service.sql(f"""
        SET @user = UNHEX(REPLACE('{user}', '-', ''));
        INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
            SELECT CONCAT('Speed ', seq DIV 4), CONCAT('Plan ', seq), 5 + seq / 100, 'DE', 1 + seq % 3, 'month' FROM seq_1_to_400;
        INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Auto_renew, Label)
            SELECT @user, (SELECT MIN(Plan_ID) FROM Plan WHERE Provider LIKE 'Speed %') + seq % 400, CURDATE() - INTERVAL seq % 27 DAY, seq % 2,
                IF(seq % 3, NULL, CONCAT('Mine ', seq)) FROM seq_1_to_{COUNT};""")


@pytest.mark.slow
def test_ten_thousand_subscriptions_open_at_once(device, own_service, record_property):
    from support.door import Door
    door = Door(own_service.port)
    try:
        one = device(door=door)
        one.act("addSubscription", {"plan": {"provider": "Gym", "fee": "17.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}, "autoRenew": False})
        one.in_step()
        began = time.monotonic()
        fill(own_service, one.read("state.user.id"))
        filled = time.monotonic() - began
        one.until(f"state.subscriptions.length === {COUNT + 1}", patience=60_000)
        one.in_step()
        print(f"filled in {filled:.1f} s, pulled after {time.monotonic() - began:.1f} s")
        # Others keep the machine busy now and then: the best of some tries is what the app takes. What is not judged is tried once.
        times = []
        for _ in range(5 if JUDGED else 1):
            one.page.reload()
            times.append(one.page.evaluate("""async () => {
                const { openApp } = await import("/__web/js/data/app.js");
                const began = performance.now();
                window.app = await openApp({ base: "/", tenant: "default" });
                const opened = performance.now();
                const count = app.state.subscriptions.length;
                const listed = performance.now();
                void app.state.questions; void app.state.spending; void app.state.leaving(30);
                return { opened: opened - began, listed: listed - opened, today: performance.now() - listed, count };
            }"""))
        print(json.dumps(times))
        assert all(one["count"] == COUNT + 1 for one in times)
        record_property("times", json.dumps(times))
        best = min(one["opened"] + one["listed"] for one in times)
        figure("ten thousand subscriptions open", best, 500)
        # One change: what is on the page afterwards is made anew from what is in memory.
        changed = one.page.evaluate("""async (tries) => {
            const id = app.state.subscriptions[500].id;
            const times = [];
            for (let i = 0; i < tries; i++) {
                const began = performance.now();
                await app.actions.change(id, { note: `n${i}` });
                void app.state.subscriptions;
                times.push(performance.now() - began);
            }
            return times;
        }""", 5 if JUDGED else 1)
        print(changed)
        figure("a change among ten thousand", min(changed), 100)
    finally:
        door.close()
