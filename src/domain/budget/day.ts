/** Returns the UTC day of a daily budget, as `2026-01-31`. UTC days are the same everywhere and always 24 hours. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
