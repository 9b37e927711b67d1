import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Target, formatTarget, parseTarget, targetSpace } from "../../../src/domain/message/target.ts";
import { runs } from "../../property.ts";
import { anyTarget } from "../../support/team/any-target.ts";

const dm = (name: string): Target => ({ kind: "dm", agent: name });
const agent = (name: string, workflow: string, tag = "main"): Target => ({ kind: "agent", agent: name, workflow, tag });
const channel = (workflow: string, tag = "main"): Target => ({ kind: "channel", workflow, tag });

describe("parseTarget", () => {
  it.each([
    ["alice", dm("alice"), "[target.dm]"],
    ["alice@global", dm("alice"), "[target.dm-global]"],
    ["alice@Global", dm("alice"), "[target.dm-global]"],
    ["alice@global:main", dm("alice"), "[target.dm-global]"],
    ["alice@review", agent("alice", "review"), "[target.agent-in-workspace] [target.default-tag]"],
    ["alice@review:main", agent("alice", "review"), "[target.agent-in-workspace]"],
    ["alice@review:pr-1", agent("alice", "review", "pr-1"), "[target.agent-in-tagged-workspace]"],
    ["alice@review:default", agent("alice", "review", "default"), "[target.default-tag]"],
    ["alice@alice", agent("alice", "alice"), "[target.agent-in-workspace]"],
    ["@review", channel("review"), "[target.channel] [target.default-tag]"],
    ["@review:pr-1", channel("review", "pr-1"), "[target.channel-tagged]"],
    ["@review:1.2.3", channel("review", "1.2.3"), "[target.channel-tagged]"],
    ["@all", channel("all"), "[target.channel]"],
  ])("%s is %j %s", (text, target) => {
    expect(parseTarget(text)).toEqual({ ok: true, value: target });
  });

  it.each(
    [
      ["", " ", "@", ":", "@:", "alice@", "@:main", "alice@:main", "alice@review:", "@review:", ":main"],
      ["alice:pr-1", "alice bob", " alice", "alice ", "alice @review", "ali\tce", "alice\n", "alice@review:a b"],
      ["@global", "@GLOBAL", "@global:main", "@global:x", "alice@global:x"],
      ["user", "system", "all", "global", "User", "all@review", "user@review"],
      ["1alice", "-x", "al.ice", "é", "alice@1", "alice@re.view", "@re/vi/ew", "alice@review:..", "@review:."],
      ["a".repeat(65), `alice@${"w".repeat(65)}`, `@review:${"t".repeat(65)}`, "x".repeat(100_000)],
    ].flat(),
  )("refuses %j with the accepted forms [target.invalid]", (text) => {
    const parsed = parseTarget(text);
    expect(parsed).toMatchObject({ ok: false, error: { code: "invalid" } });
    if (parsed.ok) return;
    expect(parsed.error.message).not.toBe("");
    expect(parsed.error.message.length).toBeLessThan(200);
    const isGlobalChannel = parsed.error.message.startsWith("There is no global");
    expect(parsed.error.hint).toContain(isGlobalChannel ? "@NAME" : "alice@review:pr-1");
  });

  it.each(["alice@review@x", "@review@x", "alice@@review", "@@review", "alice@review:a:b", "@review::a", "@a:b@c"])(
    "refuses the second separator of %j [target.split-first]",
    (text) => {
      expect(parseTarget(text)).toMatchObject({ ok: false, error: { code: "invalid" } });
    },
  );

  it.each([
    ["alice@re.view", "re.view"],
    ["al.ice@review", "al.ice"],
    ["alice@review:p/1", '"1" is not a valid name'],
    ["alice:pr-1", "tag but no workflow"],
  ])("names the wrong part of %s [target.invalid]", (text, part) => {
    expect(parseTarget(text)).toMatchObject({ ok: false, error: { message: expect.stringContaining(part) } });
  });

  it("accepts nothing that formats to another target [target.round-trip]", () => {
    const loose = fc.string({
      unit: fc.constantFrom("a", "B", "1", "@", ":", "/", ".", "-", "_", " ", "é"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(loose, (text) => {
        const parsed = parseTarget(text);
        expect(parsed.ok ? parseTarget(formatTarget(parsed.value)) : parsed).toEqual(parsed);
      }),
      runs(500),
    );
  });
});

describe("formatTarget", () => {
  it.each([
    ["alice@global", "alice"],
    ["alice@global:main", "alice"],
    ["alice@review:main", "alice@review"],
    ["alice@review:pr-1", "alice@review:pr-1"],
    ["@review:main", "@review"],
    ["@review:pr-1", "@review:pr-1"],
  ])("shows %s as %s [target.display-short]", (text, shown) => {
    const parsed = parseTarget(text);
    expect(parsed.ok && formatTarget(parsed.value)).toBe(shown);
  });

  it("is read back as the same target [target.round-trip]", () => {
    fc.assert(
      fc.property(anyTarget, (target) => {
        expect(parseTarget(formatTarget(target))).toEqual({ ok: true, value: target });
      }),
      runs(300),
    );
  });
});

describe("targetSpace", () => {
  it("is where the message will live", () => {
    expect(targetSpace({ kind: "dm", agent: "alice" })).toEqual({ kind: "dm", agent: "alice" });
    const workspace = { kind: "workspace", workflow: "review", tag: "x" };
    expect(targetSpace({ kind: "agent", agent: "alice", workflow: "review", tag: "x" })).toEqual(workspace);
    expect(targetSpace({ kind: "channel", workflow: "review", tag: "x" })).toEqual(workspace);
  });
});
