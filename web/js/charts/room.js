// How much room drawings have: text in them stays as large as other text, so that their width in units follows the window's.

import { draw } from "../parts/context.js";

const narrow = matchMedia("(max-width: 43.99rem)");
narrow.addEventListener("change", () => draw());

/** Whether a drawing fills a phone's width. */
export const isNarrow = () => narrow.matches;
