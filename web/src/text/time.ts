/** Times and durations for people. */
export function clockTime(at: string): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns `2026-01-31`, in the time zone of the browser. */
export function dayOf(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the day as people say it: `Today`, `Yesterday`, or the weekday and the date. */
export function dayName(day: string, now: Date = new Date()): string {
  if (day === dayOf(now.toISOString())) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day === dayOf(yesterday.toISOString())) return "Yesterday";
  const weekday = new Date(`${day}T12:00:00`).toLocaleDateString("en", { weekday: "long" });
  return `${weekday}, ${day}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
