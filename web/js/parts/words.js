// The words of the chosen language, and how numbers, dates and lists are written in it.

import english from "../words/en.js";

/** Languages that there are words for, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", zh: "中文" };
/** Words of the first view, of all else, and of areas. */
const LOADERS = {
  en: [async () => ({ default: english }), () => import("../words/en.more.js"), () => import("../words/en.contacts.js"), () => import("../words/en.reminders.js")],
  de: [() => import("../words/de.js"), () => import("../words/de.more.js"), () => import("../words/de.contacts.js"), () => import("../words/de.reminders.js")],
  zh: [() => import("../words/zh.js"), () => import("../words/zh.more.js"), () => import("../words/zh.contacts.js"), () => import("../words/zh.reminders.js")],
};

/** The words themselves; a module that imports `w` sees the language that holds now. */
export let w = english;
/** The locale for dates, numbers and sums: the reader's own where its language is the chosen one. */
export let locale = "en";
/** The language of the words. */
export let language = "en";

/** The first language of the reader's that there are words for. */
export function preferred(chosen, wanted = navigator.languages) {
  if (chosen && chosen in LANGUAGES) return chosen;
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? "en";
}

let isWhole = false;

/** Adds words to those that there are: failures and fields have those of all files. */
const add = (more) => { w = { ...w, ...more, failures: { ...w.failures, ...more.failures }, fields: { ...w.fields, ...more.fields } }; };
/** All words of a language beside the first view's. */
const allOf = async (language) => (await Promise.all(LOADERS[language].slice(1).map((load) => load()))).map((file) => file.default);

/** Loads the words of all pages beside the first view. */
export async function speakOfAll() {
  if (isWhole) return;
  for (const more of await allOf(language)) add(more);
  isWhole = true;
}

/** Loads the words of a language and makes it the one that pages speak. English stays where its file is out of reach. */
export async function speak(chosen) {
  const found = preferred(chosen), was = isWhole;
  try {
    const first = (await LOADERS[found][0]()).default, more = was ? await allOf(found) : [];
    w = { ...english, ...first, failures: first.failures };
    for (const one of more) add(one);
    language = found;
  } catch {
    language = preferred("en");
  }
  locale = navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language;
  const root = document.documentElement;
  root.lang = locale;
  const direction = new Intl.Locale(locale);
  root.dir = (direction.getTextInfo?.() ?? direction.textInfo)?.direction ?? "ltr";
}
