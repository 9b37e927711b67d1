import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { createLog, LOG_LEVELS, type LogLevel } from "../../src/kernel/log.ts";
import { silentLog } from "../../src/testing/silent-log.ts";
import { createRedactor } from "../../src/kernel/redact.ts";
import { manualClock } from "../support/manual-clock.ts";

function openLog(level: LogLevel = "debug") {
  const lines: string[] = [];
  const { redactValue } = createRedactor({ secrets: ["hunter2-hunter2"] });
  const log = createLog({ clock: manualClock(), level, redactValue, sink: (line) => void lines.push(line) });
  const last = (): unknown => JSON.parse(lines.at(-1) ?? "null");
  return { log, lines, last };
}

describe("log", () => {
  it("writes one JSON object a line, time, level and message first", () => {
    const { log, lines } = openLog();
    log.info("started\nfresh", { port: 5099 });
    expect(lines).toEqual(['{"at":"2026-01-05T09:00:00.000Z","level":"info","message":"started\\nfresh","port":5099}']);
  });

  it.each(LOG_LEVELS)("at level %s leaves out what is less", (level) => {
    const { log, lines } = openLog(level);
    for (const each of LOG_LEVELS) log[each]("x");
    expect(lines).toHaveLength(LOG_LEVELS.length - LOG_LEVELS.indexOf(level));
  });

  it("redacts the message, the fields and what it is bound to", () => {
    const { log, lines } = openLog();
    log
      .with({ url: "http://x/?q=hunter2-hunter2" })
      .warn("used hunter2-hunter2", { token: "abc", deep: [{ a: "hunter2-hunter2" }] });
    expect(lines.join()).not.toMatch(/hunter2|abc/);
    expect(lines.join()).toContain("[redacted]");
  });

  it("keeps what explains an error, its cause and its code, wherever it stands", () => {
    const { log, last } = openLog();
    const error = new Fault("disk_full", "no space for hunter2-hunter2", {
      cause: new Error("ENOSPC"),
      hint: "free some",
    });
    log.error("failed", { error, more: { error } });
    const shown = {
      name: "Fault",
      message: "no space for [redacted]",
      code: "disk_full",
      hint: "free some",
      cause: { message: "ENOSPC" },
    };
    expect(last()).toMatchObject({
      message: "failed",
      error: { ...shown, stack: expect.any(String) },
      more: { error: shown },
    });
    log.with({ error }).error("failed");
    expect(last()).toMatchObject({ error: shown });
  });

  it("carries bound fields on every line; the nearest wins, and none hides the time, the level or the message", () => {
    const { log, last } = openLog();
    const bound = log.with({ project: "a", part: "store" }).with({ part: "loop" });
    bound.info("hello", { project: "b" });
    expect(last()).toMatchObject({ project: "b", part: "loop", message: "hello" });
    bound.info("hello", { message: "msg_1", level: "fatal", at: 0 });
    expect(last()).toMatchObject({ message: "hello", level: "info", at: "2026-01-05T09:00:00.000Z" });
  });

  it("writes what JSON cannot: cycles, big numbers, functions, nothing", () => {
    const { log, last } = openLog();
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    log.info("odd", { cycle, big: 12n, map: new Map([["a", 1n]]), call: () => 1, none: undefined });
    expect(last()).toMatchObject({ message: "odd", cycle: { self: "[circular]" }, big: "12", map: { a: "1" } });
  });

  it("can be silent", () => {
    expect(() => silentLog.with({ a: 1 }).error("nothing")).not.toThrow();
  });
});
