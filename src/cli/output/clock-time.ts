import { systemClock } from "../../kernel/clock.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Returns a time as people read it here: the hour of a time that is near, otherwise with its day. */
export function clockTime(iso: string, now = systemClock.now()): string {
  const at = new Date(iso);
  const two = (figure: number): string => String(figure).padStart(2, "0");
  const hour = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (Math.abs(at.getTime() - now) < DAY_MS) return hour;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${hour}`;
}
