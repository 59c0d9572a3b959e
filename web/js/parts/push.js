// Messages of the browser itself (Web Push). The browser asks the person once, at the moment in which a button is pressed.

import { app } from "./context.js";

/** The name under which this browser keeps which channel it is. */
const KEPT = "push";

const registered = () => navigator.serviceWorker?.getRegistration(app.state.base);

/** Whether this browser can show messages. */
const isAble = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** How this browser stands: `on`, `off`, `denied`, `none` where it cannot, `phone` where the app has to be on the home screen first. */
export async function browserPush() {
  if (!isAble()) return /iPhone|iPad/.test(navigator.userAgent) ? "phone" : "none";
  const subscription = await (await registered())?.pushManager.getSubscription().catch(() => null);
  if (subscription && app.state.kept(KEPT) && Notification.permission === "granted") return "on";
  return Notification.permission === "denied" ? "denied" : "off";
}

/** A subscription as the service takes it. */
function described(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { target: endpoint, push: { p256dh: keys.p256dh, auth: keys.auth } };
}

/** Asks the person, subscribes, and tells the service. @returns how the browser stands then */
export async function startPush() {
  // The browser takes the question for the button's as long as nothing was waited for.
  if (await Notification.requestPermission() !== "granted") return "denied";
  const registration = await registered();
  if (!registration) return "none";
  let key;
  try {
    key = await app.actions.operate("push.key", {});
  } catch (/** @type {any} */ failure) {
    if (failure?.code === "not_found") return "noKey";
    throw failure;
  }
  await registration.update().catch(() => {});
  const former = await registration.pushManager.getSubscription();
  // A subscription of another key is of no use.
  await former?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { channel } = await app.actions.operate("channels.create", { kind: "webpush", name: app.state.device?.name ?? undefined, ...described(subscription) });
  await app.actions.keep(KEPT, { channel: channel.id, endpoint: subscription.endpoint });
  return "on";
}

/** Ends the messages of this browser. @returns how the browser stands then */
export async function stopPush() {
  const kept = app.state.kept(KEPT);
  if (kept) await app.actions.operate("channels.delete", { id: kept.channel });
  await (await (await registered())?.pushManager.getSubscription())?.unsubscribe();
  await app.actions.keep(KEPT, null);
  return "off";
}

/** Tells the service of another subscription than the one that it knows: browsers renew theirs. Asked at each start. */
export async function followPush() {
  const kept = app.state.kept(KEPT);
  if (!kept || !isAble() || !app.state.areas.includes("reminders")) return;
  const subscription = await (await registered())?.pushManager.getSubscription();
  if (!subscription || subscription.endpoint === kept.endpoint) return;
  await app.actions.operate("channels.update", { id: kept.channel, ...described(subscription) });
  await app.actions.keep(KEPT, { ...kept, endpoint: subscription.endpoint });
}
