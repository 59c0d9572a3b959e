// A price that holds until the next one: steps, the announced part dashed.

import { html, svg } from "../kernel/template.js";
import { date, money } from "../parts/format.js";
import { w } from "../parts/words.js";
import { addDays, daysBetween } from "./days.js";
import { isNarrow } from "./room.js";

const HEIGHT = 150, LEFT = 8, TOP = 26, BOTTOM = 30;

/** @param points `{effectiveOn, fee, currency}` by day @param since the first day to show @param end the next renewal */
export function priceLine(points, since, end, today) {
  const WIDTH = isNarrow() ? 340 : 560, RIGHT = isNarrow() ? 66 : 84;
  const shown = points.filter(({ currency }) => currency === points.at(-1).currency).map((point) => ({ ...point, effectiveOn: point.effectiveOn < since ? since : point.effectiveOn }));
  const start = shown[0].effectiveOn, far = [end, today, shown.at(-1).effectiveOn].toSorted().at(-1), last = addDays(far, Math.max(20, Math.round(daysBetween(start, far) / 12)));
  const whole = Math.max(1, daysBetween(start, last)), values = shown.map(({ fee }) => Number(fee)), high = Math.max(...values), low = Math.min(...values);
  const x = (day) => LEFT + (WIDTH - LEFT - RIGHT) * Math.min(1, Math.max(0, daysBetween(start, day) / whole));
  const y = (value) => (high === low ? (TOP + HEIGHT - BOTTOM) / 2 : TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low)));
  const announced = shown.findIndex(({ effectiveOn }) => effectiveOn > today), held = announced < 0 ? shown : shown.slice(0, announced), ahead = announced < 0 ? [] : shown.slice(announced);
  const steps = (list, to) => list.map(({ effectiveOn, fee }, i) => `${i ? `H${x(effectiveOn).toFixed(1)}V` : `M${x(effectiveOn).toFixed(1)} `}${y(Number(fee)).toFixed(1)}`).join("") + `H${x(to).toFixed(1)}`;
  const words = shown.map(({ effectiveOn, fee, currency }) => w.priceFrom(money(fee, currency), date.full(effectiveOn))).join(", ");
  // A price is written above its beginning; where the next one begins too near it is left to the table.
  const labels = shown.map((point, i) => ({ ...point, i, room: (i + 1 < shown.length ? x(shown[i + 1].effectiveOn) : WIDTH) - x(point.effectiveOn) })).filter(({ i, room }) => i === shown.length - 1 || room > 56);
  return html`<svg class="line-chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${w.priceLine} ${words}.`}>
    <line class="axis" x1="0" x2=${WIDTH} y1=${HEIGHT - BOTTOM + 6} y2=${HEIGHT - BOTTOM + 6}></line>
    <line class="now-line" x1=${x(today)} x2=${x(today)} y1="8" y2=${HEIGHT - BOTTOM + 6}></line>
    ${held.length ? svg`<path class="held" d=${steps(held, announced < 0 ? last : ahead[0].effectiveOn)}></path>` : null}
    ${ahead.length ? svg`<path class="ahead" d=${`${held.length ? `M${x(ahead[0].effectiveOn).toFixed(1)} ${y(Number(held.at(-1).fee)).toFixed(1)}V${y(Number(ahead[0].fee)).toFixed(1)}` : ""}${steps(ahead, last)}`}></path>` : null}
    ${shown.map(({ effectiveOn, fee }, i) => svg`<circle class=${announced >= 0 && i >= announced ? "dot ahead" : "dot"} cx=${x(effectiveOn)} cy=${y(Number(fee))} r="4"></circle>`)}
    ${labels.map(({ effectiveOn, fee, currency, i, room }) => (i && room < 130 ? svg`<text class="value" x=${x(last) + 6} y=${y(Number(fee)) + 4}>${money(fee, currency)}</text>`
      : svg`<text class="value" x=${Math.max(2, x(effectiveOn) - (i ? 0 : 4))} y=${y(Number(fee)) - 10}>${money(fee, currency)}</text>`))}
    <text x=${LEFT} y=${HEIGHT - 6}>${date.shortYear(start)}</text>
    ${x(today) > 110 ? svg`<text x=${x(today)} y=${HEIGHT - 6} text-anchor="middle">${w.today}</text>` : null}</svg>`;
}
