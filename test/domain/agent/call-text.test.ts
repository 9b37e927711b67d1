import { describe, expect, it } from "vitest";
import { argsText, callLine } from "../../../src/domain/agent/call-text.ts";

const asIs = (text: string): string => text;

describe("a tool call as a person is asked about it", () => {
  it("shows the one argument it has, or all of them", () => {
    expect(callLine("bash", { command: "npm test" }, asIs)).toBe('bash: "npm test"');
    expect(callLine("write_file", { path: "a", content: "b" }, asIs)).toBe('write_file: {"path":"a","content":"b"}');
    expect(callLine("ping", {}, asIs)).toBe("ping: {}");
    expect(callLine("ping", undefined, asIs)).toBe("ping: ");
  });

  it("shows characters that hide or move others, so that nothing looks like something else", () => {
    const line = callLine("bash", { command: "ls\nrm -rf /\u202Etxt\u200B\u2028" }, asIs);
    expect(line).toBe('bash: "ls\\nrm -rf /\\u{202e}txt\\u{200b}\\u{2028}"');
  });

  it("leaves secrets out, and says when it leaves out more", () => {
    const redact = (text: string): string => text.replaceAll("hunter2", "[redacted]");
    expect(argsText({ command: "login hunter2" }, redact)).toBe('{"command":"login [redacted]"}');
    const long = argsText({ content: `a${"x".repeat(40_000)}z` }, asIs);
    expect(long.length).toBeLessThan(17_000);
    expect(long).toMatch(/^\{"content":"axx.*\[\.\.\. \d+ characters not shown \.\.\.\] x+z"\}$/);
  });
});
