/**
 * Returns how long a provider asks to wait, in milliseconds: `Retry-After` is a number of seconds or a date, some send
 * `retry-after-ms` as well, and Google writes "34s" into the body. Undefined for anything else.
 */
export function readRetryAfter(
  written: { readonly retryAfter?: string | undefined; readonly retryAfterMs?: string | undefined },
  nowMs: number,
): number | undefined {
  const precise = Number.parseFloat(written.retryAfterMs ?? "");
  if (Number.isFinite(precise) && precise >= 0) return precise;
  const text = (written.retryAfter ?? "").trim();
  if (/^\d+(?:\.\d+)?s?$/.test(text)) return Math.ceil(Number.parseFloat(text) * 1_000);
  // Date.parse accepts almost anything as a year; a date of HTTP begins with the name of a day.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
