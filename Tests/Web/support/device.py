"""A browser with a store of its own, on a page without pages: what the app does without what it shows."""

import json

from support.waiting import LONG

# What Firefox reports as a page's fault where a socket cannot be opened.
AWAY = "establish a connection to the server at ws://"

OPEN = """async (tenant) => {
    const { openApp } = await import("/__web/js/data/app.js");
    window.app = await openApp({ base: tenant === "default" ? "/" : `/t/${tenant}/`, tenant });
}"""
# Waits for what the app says, looked at after each change; for what does not come from a change, now and then as well.
UNTIL = """([source, argument, patience]) => new Promise((resolve, reject) => {
    const test = (%s);
    let stop = () => {};
    const end = (value, error) => { stop(); clearInterval(every); clearTimeout(late); error ? reject(error) : resolve(value); };
    const look = () => { let value; try { value = test(app, argument); } catch (error) { return end(null, error); } if (value) end(value); };
    const every = setInterval(look, 100);
    const late = setTimeout(() => end(null, new Error(`it did not come: ${source}; connection ${JSON.stringify(app.state.connection)}`)), patience);
    stop = app.onChange(look);
    look();
})"""


class Device:
    """`act` does something, `read` looks at the state, `until` waits for it."""

    def __init__(self, browser, door, tenant="default", timezone="Europe/Berlin", locale="en-GB", at=None, hasClock=False):
        self.door, self.tenant = door, tenant
        self.context = browser.new_context(locale=locale, timezone_id=timezone)
        self.context.set_default_timeout(LONG)
        self.faults = []
        if at:
            self.context.clock.set_system_time(at)
        if hasClock:
            self.context.clock.install()
        self.page = self.tab()

    def tab(self):
        """One more tab of this browser; the first is `page`."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: AWAY in str(error) or self.faults.append(str(error)))
        page.goto(f"{self.door.url}/__test/blank.html")
        page.evaluate(OPEN, self.tenant)
        return page

    def reopen(self, page=None):
        """The page is loaded anew: only what is in the store is left. Its files come even where the service does not."""
        page = page or self.page
        page.reload()
        page.evaluate(OPEN, self.tenant)

    def act(self, name, *arguments, page=None):
        """Calls an action and gives what it gives, without `undo`, which `undo` calls."""
        answer = (page or self.page).evaluate(
            """async ([name, given]) => {
                try {
                    const done = await app.actions[name](...given);
                    window.done = done;
                    return { done: done && JSON.parse(JSON.stringify(done)) };
                } catch (error) {
                    if (!error.failure) throw error;
                    return { failure: { failure: error.failure, code: error.code, field: error.field, detail: error.detail, values: error.values } };
                }
            }""", [name, list(arguments)])
        if "failure" in answer:
            raise Failure(answer["failure"])
        return answer.get("done")

    def pass_time(self, seconds):
        """Sets the clock of a device that was made with `hasClock` forward. Timers that are due go off."""
        self.context.clock.fast_forward(seconds * 1000)

    def undo(self, page=None):
        (page or self.page).evaluate("() => done.undo()")

    def read(self, expression="state", page=None):
        """What an expression of `state` gives."""
        return (page or self.page).evaluate(f"() => JSON.parse(JSON.stringify(((state) => ({expression}))(app.state) ?? null))")

    def until(self, expression, argument=None, page=None, patience=LONG):
        """Waits until an expression of `state` (and `given`) holds."""
        test = f"({{ state }}, given) => ({expression})"
        return (page or self.page).evaluate(UNTIL % test, [expression, argument, patience])

    def sync(self, page=None):
        (page or self.page).evaluate("() => app.actions.sync()")

    def in_step(self, page=None):
        self.until("state.user.id && state.connection.kind === 'inStep' && state.outbox.count === 0 && state.connection.pulled === null", page=page)

    def store(self, table, page=None):
        """All values of a table of the store."""
        return (page or self.page).evaluate(
            """(table) => new Promise((resolve, reject) => {
                const open = indexedDB.open(`subtrack.${app.state.tenant}`);
                open.onerror = () => reject(open.error);
                open.onsuccess = () => {
                    const all = open.result.transaction(table).objectStore(table).getAll();
                    all.onsuccess = () => { open.result.close(); resolve(JSON.parse(JSON.stringify(all.result))); };
                };
            })""", table)

    def close(self):
        self.context.close()
        assert not self.faults, self.faults


class Failure(Exception):
    def __init__(self, failure):
        super().__init__(json.dumps(failure))
        self.failure, self.code, self.field, self.values = failure["failure"], failure["code"], failure["field"], failure["values"]
