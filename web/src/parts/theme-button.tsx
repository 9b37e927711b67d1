import { useState } from "preact/hooks";

/** `auto` is the theme of the system. Only this setting is stored after the tab is closed. */
const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const STORAGE_KEY = "agent-worker.theme";

export function applyStoredTheme(): Theme {
  const theme = THEMES.find((each) => each === localStorage.getItem(STORAGE_KEY)) ?? "auto";
  document.documentElement.dataset["theme"] = theme;
  return theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState(applyStoredTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
  const change = (): void => {
    localStorage.setItem(STORAGE_KEY, next);
    setTheme(applyStoredTheme());
  };
  return (
    <button type="button" class="link dim" onClick={change} aria-label={`Colours: ${theme}. Change to ${next}.`}>
      Colours: {theme}
    </button>
  );
}
