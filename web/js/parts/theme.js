// The chosen theme: in the page at once, and where theme.js finds it at the next start.

const GROUNDS = { light: "#f6f3ea", dark: "#121714" };

/** @param theme "device", "light" or "dark" */
export function showTheme(theme) {
  const root = document.documentElement, isChosen = theme === "light" || theme === "dark";
  if (isChosen) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const meta of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll('meta[name="theme-color"]'))) meta.content = GROUNDS[isChosen ? theme : meta.media.includes("dark") ? "dark" : "light"];
  try {
    if (isChosen) localStorage.setItem("subtrack.theme", theme);
    else localStorage.removeItem("subtrack.theme");
  } catch { /* storage is refused: it holds until the page is closed */ }
}
