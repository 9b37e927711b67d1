/** Drawn with lines on a grid of 16; each is beside a word that says the same. */
const PATHS = {
  overview: "M2.5 7 8 2.5 13.5 7v6.5h-4V9.5h-3v4h-4z",
  decisions: "M8 1.8 13.5 4v4c0 3.2-2.3 5.3-5.5 6.2C4.8 13.3 2.5 11.2 2.5 8V4zM5.6 7.9l1.8 1.8 3.2-3.4",
  runs: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM6.6 5.4l4 2.6-4 2.6z",
  team: "M4 5.6a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM12 9.9a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM4 14.2a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM5.8 4.5l4.4 2.7M5.8 11.5l4.4-2.7",
  usage: "M2.5 13.5h11M4.5 11V8M8 11V3M11.5 11V6",
  files: "M3.5 1.8h5.3l3.7 3.7v8.7h-9zM8.8 1.8v3.7h3.7",
  schedules: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.6V8l2.4 1.6",
  setup:
    "M2.5 4.5h5M11 4.5h2.5M2.5 11.5H5M8.5 11.5h5M9.2 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM6.8 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  person: "M8 8a2.9 2.9 0 1 0 0-5.8A2.9 2.9 0 0 0 8 8zM2.8 14.2c.5-2.9 2.5-4.4 5.2-4.4s4.7 1.5 5.2 4.4",
  notice: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 7.4v3.4M8 5.1v.1",
  search: "M7 2.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6zM10.5 10.5l3.3 3.3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
