/** The day a daily budget counts in, as `2026-01-31`. In UTC: the same everywhere, and never an hour longer. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
