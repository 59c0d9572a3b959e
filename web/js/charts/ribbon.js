// Today and the next thirty days, one stroke for each, as high as the payments of the day.

import { html, svg } from "../kernel/template.js";
import { date, listed, money } from "../parts/format.js";
import { w } from "../parts/words.js";
import { addDays, weekday } from "./days.js";
import { isNarrow } from "./room.js";

const BASE = 82;

/** @param today the first day @param items `{on, subscription, price}` @param days how many */
export function ribbon(today, items, days = 31) {
  const STEP = isNarrow() ? 12 : 17, width = days * STEP;
  // Heights are compared within a currency; sums of several currencies would say something that is not so.
  const highest = {};
  const byDay = Array.from({ length: days }, (_, i) => {
    const on = addDays(today, i), list = items.filter((item) => item.on === on), sums = {};
    for (const { price } of list) sums[price.currency] = (sums[price.currency] ?? 0) + Number(price.fee);
    for (const [currency, sum] of Object.entries(sums)) highest[currency] = Math.max(highest[currency] ?? 0, sum);
    return { on, list, sums };
  });
  const part = ({ sums }) => Math.max(...Object.entries(sums).map(([currency, sum]) => (highest[currency] ? sum / highest[currency] : 0)));
  const words = byDay.filter(({ list }) => list.length).map(({ on, list }) =>
    `${date.medium(on)}: ${listed(list.map(({ subscription, price }) => `${subscription.name} ${money(price.fee, price.currency)}`))}`);
  return html`<svg class="ribbon" viewBox=${`0 0 ${width} 102`} role="img" aria-label=${words.length ? `${w.ribbon} ${words.join(". ")}.` : w.ribbonEmpty}>
    ${byDay.map((day, i) => {
      const x = i * STEP + STEP / 2, high = day.list.length ? 10 + 48 * Math.sqrt(part(day)) : 0, tone = i <= 3 ? "soon" : "calm", n = Number(day.on.slice(8));
      return svg`<line class=${weekday(day.on) > 4 ? "tick rest" : "tick"} x1=${x} x2=${x} y1=${BASE} y2=${BASE - 3}></line>
        ${i === 0 ? svg`<line class="tick first" x1=${x} x2=${x} y1=${BASE} y2=${BASE - 9}></line>` : null}
        ${high ? svg`<line class=${`stem ${tone}`} x1=${x} x2=${x} y1=${BASE - 3} y2=${BASE - high}></line><circle class=${`bud ${tone}`} cx=${x} cy=${BASE - high} r="4"></circle>` : null}
        ${i === 0 || (weekday(day.on) === 0 && i > 3) ? svg`<text class=${i === 0 ? "now" : ""} x=${i === 0 ? 0 : x} y="98"
          text-anchor=${i === 0 ? "start" : "middle"}>${i === 0 ? w.today : n <= 7 ? date.short(day.on) : date.day(day.on)}</text>` : null}`;
    })}</svg>`;
}
