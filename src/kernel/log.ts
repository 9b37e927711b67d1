import type { Clock } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: one JSON object a line, redacted before it is passed to the sink. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns the same log with fields in every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  readonly clock: Pick<Clock, "now">;
  readonly level: LogLevel;
  /** Also converts errors, maps and cycles to plain data: see `redact.ts`. */
  readonly redactValue: (value: unknown) => unknown;
  /** Must not throw. */
  readonly sink: (line: string) => void;
}

export function createLog(options: LogOptions, bound: LogFields = {}): Log {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const write = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const head = { at: new Date(options.clock.now()).toISOString(), level, message };
    // Twice: the first puts the head at the start of the line, the last keeps fields from replacing it.
    const entry = { ...head, ...bound, ...fields, ...head };
    options.sink(JSON.stringify(options.redactValue(entry), printable));
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    with: (fields) => createLog(options, { ...bound, ...fields }),
  };
}

function printable(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
