// Sets the chosen theme before the first paint, so that dark never begins with a white flash. The one classic script.

(() => {
  try {
    const theme = localStorage.getItem("subtrack.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* storage is refused: as the device */ }
})();
