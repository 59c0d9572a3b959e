// What changes the store and speaks with the service: loaded after the first draw, or when it is needed before.

import { actionsOf } from "./actions.js";
import { Live } from "./live.js";
import { Session } from "./session.js";
import { Sync } from "./sync.js";

export * as input from "./input.js";
export * as kinds from "./kinds.js";

/**
 * @param {object} of
 * @param {string} of.base
 * @param {import("./database.js").Database} of.database
 * @param {import("./api.js").API} of.api
 * @param {import("./locks.js").Locks} of.locks
 * @param {import("./asked.js").Asked} of.asked
 * @param {() => import("./state.js").State} of.state
 * @param {() => number} of.now
 * @param {(touched: import("./database.js").Touched) => Promise<void>} of.onChange
 * @param {(ids: number[]) => Promise<void>} of.want
 * @param {(kind: string) => Promise<void>} of.load
 * @param {() => Promise<void>} of.run
 * @param {() => void} of.syncSoon
 */
export function engineOf({ base, database, api, locks, asked, state, now, onChange, want, load, run, syncSoon }) {
  const session = new Session({ database, api, locks, onChange });
  return {
    session, sync: new Sync({ database, api, session, locks, onChange }), live: new Live(base, { onPoke: syncSoon, onState: () => {} }),
    actions: actionsOf({ database, api, session, asked, state, now, onChange, want, load, sync: run, syncSoon }),
  };
}
