// How a subscription stands on a given day. As `SubscriptionStanding` of the service.

import { addDays } from "./days.js";

/** How many days before its end a subscription is due, where its user has not said it. */
export const USUAL_REMINDER_DAYS = 7;

/**
 * @param {object} of
 * @param {number} of.endDate the day of the next renewal
 * @param {number | null} of.cancelledOn the day on which it was cancelled
 * @param {number} of.noticeDays the plan's when the current period began
 * @param {number} today the user's
 * @returns {{status: "active" | "cancelled" | "ended", remaining: number, cancelBy: number}}
 */
export function standing({ endDate, cancelledOn, noticeDays }, today) {
  const remaining = endDate - today;
  return {
    // Days from today to the end date; 0 on that day, negative once past it.
    remaining,
    // The last day to cancel it in time.
    cancelBy: addDays(endDate, 0 - Math.max(noticeDays, -1200)),
    status: cancelledOn === null ? "active" : remaining < 0 ? "ended" : "cancelled",
  };
}

/**
 * Whether it is active and past its end: it should have been renewed or cancelled.
 * @param {{status: string, remaining: number}} standing
 */
export const isOverdue = ({ status, remaining }) => status === "active" && remaining < 0;

/**
 * Whether it renews today or within so many days.
 * @param {{status: string, remaining: number}} standing
 * @param {number} [days]
 */
export const isDueWithin = ({ status, remaining }, days = USUAL_REMINDER_DAYS) => status === "active" && remaining >= 0 && remaining <= days;
