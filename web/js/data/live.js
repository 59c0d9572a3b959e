// The service says on a WebSocket that there is something to pull, and nothing more: what a socket missed is never missed.

import { Backoff } from "./locks.js";

/** How long it may be silent before it is closed and opened anew is the browser's matter: it answers the service's pings. */
const OPENING = 20_000;

/** One tab keeps a socket open for all. */
export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #backoff = new Backoff();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #isWanted = false;
  #opened = 0;
  /** Whether pokes come by it. */
  isOpen = false;

  /**
   * @param {string} base
   * @param {{onPoke: () => void, onState: (isOpen: boolean) => void}} listeners a poke is given when it has opened, too
   */
  constructor(base, { onPoke, onState }) {
    this.base = base;
    this.onPoke = onPoke;
    this.onState = onState;
  }

  /** Opens it, and opens it again whenever it is closed. */
  start() {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#open();
  }

  stop() {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    this.#socket?.close(1000);
    this.#socket = null;
    this.#told(false);
  }

  /** The network is back, or the page is looked at again: no need to wait. */
  hurry() {
    if (!this.#isWanted || this.#socket) return;
    this.#backoff.reset();
    clearTimeout(this.#timer);
    this.#open();
  }

  /** @param {boolean} isOpen */
  #told(isOpen) {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.onState(isOpen);
  }

  #open() {
    const address = new URL(`${this.base}v1/live`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    /** @type {WebSocket} */
    let socket;
    try { socket = new WebSocket(address); } catch { return this.#again(); }
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), OPENING);
    socket.onopen = () => {
      clearTimeout(late);
      this.#opened = Date.now();
      this.#told(true);
      // Whatever is committed after it was opened is told; what was before is pulled now.
      this.onPoke();
    };
    socket.onmessage = ({ data }) => {
      let method;
      try { method = JSON.parse(data).method; } catch { return; }
      if (method === "changes") this.onPoke();
    };
    socket.onclose = ({ code }) => {
      clearTimeout(late);
      if (this.#socket !== socket) return;
      this.#socket = null;
      const wasOpen = this.isOpen;
      // A service that closes each connection at once must not be asked for one again and again.
      if (this.#opened && Date.now() - this.#opened > 30_000) this.#backoff.reset();
      this.#opened = 0;
      this.#told(false);
      // The session has ended, or another one has begun: a sync tells which. A page is not told why it was refused.
      if (code === 4401 || !wasOpen) this.onPoke();
      this.#again();
    };
  }

  #again() {
    if (!this.#isWanted) return;
    this.#timer = setTimeout(() => this.#open(), this.#backoff.next());
  }
}
