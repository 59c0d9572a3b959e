// Months as columns of categories. Expected payments stand dashed on top.

import { html, svg } from "../kernel/template.js";
import { date, money, roughMoney } from "../parts/format.js";
import { w } from "../parts/words.js";
import { isNarrow } from "./room.js";

export const TONES = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
const HEIGHT = 250, BASE = 218, TOP = 24;

/** The next round number above: 1, 2 or 5 with zeros. */
function round(value) {
  const size = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * size).find((step) => step >= value) ?? value;
}

/** @param months `{month, paid, expected, categories}` @param order categories by their tone @param today the current month has the stronger name */
export function columns(months, order, currency, today) {
  const WIDTH = isNarrow() ? 350 : 520;
  const number = (text) => Number(text), heights = months.map((m) => number(m.paid) + number(m.expected)), nice = round(Math.max(...heights, 1)), step = (WIDTH - 50) / months.length;
  const y = (value) => ((BASE - TOP) * value) / nice;
  const words = months.map((m) => `${date.month(`${m.month}-01`)} ${money(m.paid, currency)}${number(m.expected) ? ` (${w.toCome(money(m.expected, currency))})` : ""}`).join(", ");
  return html`<svg class="columns" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${w.byMonthWords} ${words}.`}>
    ${[0, 0.5, 1].map((part) => svg`<line class="grid" x1="0" x2=${WIDTH} y1=${BASE - y(nice * part)} y2=${BASE - y(nice * part)}></line>
      <text x=${WIDTH} y=${BASE - y(nice * part) - 5} text-anchor="end">${roughMoney(String(nice * part), currency)}</text>`)}
    ${months.map((m, i) => {
      let from = BASE;
      const bar = (value, kind) => {
        const high = y(number(value));
        from -= high;
        return high > 0 ? svg`<rect class=${kind} x=${i * step + step * 0.14} width=${step * 0.72} y=${from} height=${Math.max(0.5, high - 1.2)} rx="1.5"></rect>` : null;
      };
      return svg`${m.categories.toSorted((a, b) => order.indexOf(a.category) - order.indexOf(b.category)).map(({ category, fee }) => bar(fee, TONES[Math.min(7, order.indexOf(category))]))}${bar(m.expected, "expected")}
        <text class=${today.startsWith(m.month) ? "now" : ""} x=${i * step + step / 2} y=${BASE + 18} text-anchor="middle">${date.monthNarrow(`${m.month}-01`)}</text>`;
    })}</svg>`;
}
