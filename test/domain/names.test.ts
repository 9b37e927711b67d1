import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_TAG,
  MAX_NAME_LENGTH,
  checkAgentName,
  checkTag,
  checkWorkflowName,
  isReservedName,
  nameKey,
} from "../../src/domain/names.ts";
import { runs } from "../property.ts";

const accepts = (check: (text: string) => { ok: boolean }, text: string): boolean => check(text).ok;

describe("names", () => {
  it.each(["a", "Z", "alice", "agent-1", "a_b", "A1-_", "a-", "constructor", "toString", "userx"])(
    "accept %j [name.agent-pattern]",
    (name) => {
      expect(checkAgentName(name)).toEqual({ ok: true, value: name });
      expect(checkWorkflowName(name)).toEqual({ ok: true, value: name });
    },
  );

  it.each(
    [
      ["", " ", "1a", "-a", "_a", ".a", "a.b", "a b", " a", "a ", "a\n", "a@b", "a:b", "a/b", "..", "é", "aé"],
      ["alıce", "а", "a\0", "a\u200d", "__proto__", "ａ", "𝒜"],
    ].flat(),
  )("refuse %j [name.agent-pattern]", (name) => {
    for (const check of [checkAgentName, checkWorkflowName]) {
      expect(check(name)).toMatchObject({
        ok: false,
        error: { code: "invalid", hint: expect.stringContaining("letter") },
      });
    }
  });

  it.each(["con", "NUL", "aux", "prn", "com1", "LPT9"])(
    "refuse %j, which no file can be called [check.file-names]",
    (name) => {
      for (const check of [checkAgentName, checkWorkflowName, checkTag]) {
        expect(check(name)).toMatchObject({
          ok: false,
          error: { code: "invalid", message: expect.stringContaining("file") },
        });
      }
      expect(accepts(checkTag, `${name}.1`)).toBe(false);
      expect(accepts(checkAgentName, `${name}x`)).toBe(true);
    },
  );

  it("may have 64 characters but not 65, and so may tags [name.length]", () => {
    expect(MAX_NAME_LENGTH).toBe(64);
    for (const check of [checkAgentName, checkWorkflowName, checkTag]) {
      expect(accepts(check, "x".repeat(64))).toBe(true);
      expect(check("x".repeat(65))).toMatchObject({
        ok: false,
        error: { code: "invalid", hint: expect.stringContaining("64") },
      });
    }
  });

  it.each(["user", "system", "all", "global", "User", "SYSTEM", "aLL", "Global"])(
    "%j is no agent's name [name.reserved]",
    (name) => {
      expect(isReservedName(name)).toBe(true);
      expect(checkAgentName(name)).toMatchObject({ ok: false, error: { code: "invalid" } });
    },
  );

  it("leaves every reserved name but global to workflows [name.global-reserved]", () => {
    expect(["user", "system", "all"].every((name) => accepts(checkWorkflowName, name))).toBe(true);
    expect(["global", "GLOBAL"].some((name) => accepts(checkWorkflowName, name))).toBe(false);
  });

  it("collide when only case differs", () => {
    expect(nameKey("Alice")).toBe(nameKey("aLICE"));
    expect(nameKey("alice")).not.toBe(nameKey("alic"));
  });

  it("say what is wrong on one short line, whatever the text [name.agent-pattern]", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const checked = checkWorkflowName(text);
        const isPlain = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/.test(text) && !text.includes("\n");
        const good = isPlain && !/^(?:global|con|prn|aux|nul|(?:com|lpt)\d)$/i.test(text);
        expect(checked.ok).toBe(good);
        if (checked.ok) return;
        expect(checked.error.message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(checked.error.message.length).toBeLessThan(400);
        expect(checked.error.hint).toBeTruthy();
      }),
      runs(300),
    );
  });
});

describe("tags", () => {
  it.each([DEFAULT_TAG, "pr-123", "1", "1.2.3", "_", "-", "...", ".x", "a.", "v2_final"])(
    "accept %j [name.tag-pattern]",
    (tag) => {
      expect(checkTag(tag)).toEqual({ ok: true, value: tag });
    },
  );

  it.each(["", ".", "..", "a/b", "a\\b", "a:b", "a b", "a@b", "é", "a\n", "\0"])(
    "refuse %j [name.tag-pattern]",
    (tag) => {
      expect(checkTag(tag)).toMatchObject({ ok: false, error: { code: "invalid", hint: expect.any(String) } });
    },
  );
});
