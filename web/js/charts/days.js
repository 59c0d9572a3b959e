// Days for drawings and the calendar's table. The rules of billing are in js/core.

const DAY = 86_400_000;
const number = (day) => Date.parse(`${day}T00:00:00Z`) / DAY;
const text = (count) => new Date(count * DAY).toISOString().slice(0, 10);

export const addDays = (day, count) => text(number(day) + count);
export const daysBetween = (from, to) => number(to) - number(from);
/** The day of the week: 0 is Monday. */
export const weekday = (day) => (number(day) + 3) % 7;
/** The month `count` months after one: `2026-12`. */
export function addMonths(month, count) {
  const [y, m] = month.split("-").map(Number), all = y * 12 + m - 1 + count;
  return `${String(Math.floor(all / 12)).padStart(4, "0")}-${String((all % 12) + 1).padStart(2, "0")}`;
}
/** How many days a month has. */
export const daysIn = (month) => daysBetween(`${month}-01`, `${addMonths(month, 1)}-01`);
