// Icons and the mark: our own paths on a square of 24, drawn with one stroke.

import { html } from "../kernel/template.js";

const PATHS = {
  today: "M12 3a9 9 0 1 0 9 9M12 7v5l3 2M19.5 4.5v.01",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  calendar: "M5 5.5h14a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1ZM4 10h16M8.5 3.5v4M15.5 3.5v4",
  chart: "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  plus: "M12 5v14M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5a2.2 2.2 0 0 0 4 0",
  device: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11 18h2",
  laptop: "M5 5h14a1 1 0 0 1 1 1v9H4V6a1 1 0 0 1 1-1ZM2.5 18.5h19",
  terminal: "M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM7 9.5l3 2.5-3 2.5M12.5 15H17",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20.5c.5-4 3.3-6 7-6s6.5 2 7 6",
  people: "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.5-3.4 3-5 6.5-5s6 1.6 6.5 5M16 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.9c2.3.5 3.7 2 4 4.6",
  phone: "M7.5 4.5l2 4-2 1.6a11 11 0 0 0 6.4 6.4l1.6-2 4 2v2.5a1.5 1.5 0 0 1-1.6 1.5A15 15 0 0 1 3.5 6.1 1.5 1.5 0 0 1 5 4.5Z",
  mail: "M4.5 6h15a.5.5 0 0 1 .5.5v11a.5.5 0 0 1-.5.5h-15a.5.5 0 0 1-.5-.5v-11a.5.5 0 0 1 .5-.5ZM4.5 7l7.5 6 7.5-6",
  pin: "M12 21c4-4.3 6-7.6 6-10.5a6 6 0 0 0-12 0C6 13.4 8 16.7 12 21ZM12 12.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  gift: "M4.5 9h15v3h-15ZM6 12v7.5h12V12M12 9v10.5M12 9c-4 0-4.5-4.5-2-4.5 1.500 0 2 2 2 4.5ZM12 9c4 0 4.5-4.5 2-4.5-1.500 0-2 2-2 4.5Z",
  pen: "M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19ZM14 6.5l3.5 3.5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  up: "M12 19V6M6.5 11.5L12 6l5.5 5.5",
  install: "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5",
  key: "M14.5 13.5a5 5 0 1 0-4-4L4 16v4h4v-2.5h2.5V15Z",
};

/** An icon; those that point somewhere turn around where text runs to the left. */
export const icon = (name, size = 22) => html`<svg class=${name === "back" || name === "next" ? "icon flip" : "icon"} width=${size} height=${size}
  viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]}></path></svg>`;

/** The mark: a period with a gap, and in it the day on which it begins again. */
export const mark = (size = 28) => html`<svg class="mark" width=${size} height=${size} viewBox="0 0 32 32" aria-hidden="true">
  <circle class="ring" cx="16" cy="16" r="11" fill="none" stroke-width="4" stroke-linecap="round" stroke-dasharray="51.8 69.115"
    transform="rotate(-5 16 16)"></circle><circle class="dot" cx="23.07" cy="7.57" r="3.3"></circle></svg>`;
