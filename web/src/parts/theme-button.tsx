import { useState } from "preact/hooks";

/** Light, dark, or as the system says. Only this is kept beyond the tab. */
const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEPT = "agent-worker.theme";

export function applyKeptTheme(): Theme {
  const theme = THEMES.find((each) => each === localStorage.getItem(KEPT)) ?? "auto";
  document.documentElement.dataset["theme"] = theme;
  return theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState(applyKeptTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
  const change = (): void => {
    localStorage.setItem(KEPT, next);
    setTheme(applyKeptTheme());
  };
  return (
    <button type="button" class="link dim" onClick={change} aria-label={`Colours: ${theme}. Change to ${next}.`}>
      Colours: {theme}
    </button>
  );
}
