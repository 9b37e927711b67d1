import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, afterEach, describe, expect, it } from "vitest";
import { withVersion, type SoulState } from "../../../src/domain/soul/soul-history.ts";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { ok } from "../../../src/kernel/result.ts";
import type { SoulFile, StagedSoul } from "../../../src/ports/soul-file.ts";
import { refused, value } from "../../support/result.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

let folder: TemporaryFolder;
let soul: SoulFile;
beforeEach(() => {
  folder = temporaryFolder();
  const files = createPersonalFiles({ root: folder.path, dir: ".agents/alice", clock: systemClock, newId: () => "m" });
  soul = value(files).soul;
});
afterEach(() => folder[Symbol.dispose]());

/** A soul in a file needs no store. */
const NO_STORE = {} as Parameters<StagedSoul["publish"]>[0];

const path = (): string => folder.in(".agents/alice/soul.yaml");
const text = (): string => readFileSync(path(), "utf8");
function byHand(content: string): void {
  mkdirSync(dirname(path()), { recursive: true });
  writeFileSync(path(), content);
}
const ABOUT = { at: "2026-01-01T00:00:00.000Z", by: "user", why: "Because.", evidence: ["msg_1"], proposal: "sol_1" };
const learn = (item: string) => (state: SoulState) =>
  ok(withVersion(state, [{ kind: "add", trait: "principles", item }], ABOUT));

describe("what an agent learned about itself", () => {
  it("[soul.history] is a file to read, with every version and its difference; nothing is made before", async () => {
    expect(soul.read()).toEqual({
      state: { learned: { add: {}, remove: {}, replace: {} }, versions: [] },
      problem: null,
      mistake: null,
    });
    expect(existsSync(folder.in(".agents"))).toBe(false);
    const staged = value(await soul.stage(learn("Explain: always")));
    expect(soul.read().state.versions).toEqual([]);
    value(await staged.publish(NO_STORE));
    expect(text()).toMatchInlineSnapshot(`
      "# What this agent has learned about itself, on top of the soul in its definition.
      # Edit "learned" as you like: it counts at once. "versions" is the record of approved changes.

      learned:
        add:
          principles:
            - "Explain: always"
      versions:
        - version: 1
          at: 2026-01-01T00:00:00.000Z
          by: user
          why: Because.
          evidence:
            - msg_1
          proposal: sol_1
          changes:
            - add: principles
              item: "Explain: always"
      "
    `);
    expect(soul.read().state).toEqual(staged.state);
  });

  it("[soul.history] counts as edited at once, keeps comments, and records the edit with the next version", async () => {
    byHand("learned:\n  # mine\n  add:\n    principles:\n      - Be brief # really\n");
    expect(soul.read().state.learned.add).toEqual({ principles: ["Be brief"] });
    const staged = value(
      await soul.stage((state) => ok(withVersion(state, [{ kind: "replace", trait: "style", text: "dry" }], ABOUT))),
    );
    value(await staged.publish(NO_STORE));
    expect(text()).toContain("# mine");
    expect(text()).toContain("- Be brief # really");
    expect(soul.read().state.versions).toMatchObject([
      { version: 1, by: "user", why: "Edited by hand.", changes: [{ kind: "add", item: "Be brief" }] },
      { version: 2, changes: [{ kind: "replace", text: "dry" }] },
    ]);
  });

  it("never overwrites what somebody wrote since: the change is stale, and leaves nothing behind", async () => {
    const first = value(await soul.stage(learn("one")));
    const second = value(await soul.stage(learn("two")));
    value(await first.publish(NO_STORE));
    expect(refused(await second.publish(NO_STORE)).code).toBe("stale_revision");
    const third = value(await soul.stage(learn("three")));
    byHand("learned: {}\n");
    expect(refused(await third.publish(NO_STORE)).code).toBe("stale_revision");
    expect(text()).toBe("learned: {}\n");
    value(await soul.stage(learn("four"))).discard();
    expect(readdirSync(dirname(path()))).toEqual(["soul.yaml"]);
  });

  it.each([
    ["learned: [\n", "soul.yaml:"],
    ["learned: { add: { principles: 3 } }\n", "learned.add.principles"],
    ["learnt: {}\n", "learnt"],
    [
      "versions:\n  - { version: 2, at: a, by: b, why: c, changes: [] }\n  - { version: 1, at: a, by: b, why: c, changes: [] }\n",
      "version 1 in the wrong place",
    ],
    ["a: &a [1]\nlearned: *b\n", "soul.yaml"],
    ["just text\n", "soul.yaml"],
    [`${"[".repeat(5000)}`, "nested too deeply"],
  ])(
    "that cannot be understood is nothing learned and a problem, and is never written to: %j",
    async (content, says) => {
      byHand(content);
      expect(soul.read()).toMatchObject({ state: { versions: [] }, problem: expect.stringContaining(says) });
      expect(refused(await soul.stage(learn("x"))).hint).toContain(".agents/alice/soul.yaml");
      expect(text()).toBe(content);
    },
  );

  it("is not read through a link", () => {
    writeFileSync(folder.in("secret.yaml"), "learned: { replace: { role: spy } }\n");
    mkdirSync(dirname(path()), { recursive: true });
    symlinkSync(folder.in("secret.yaml"), path());
    expect(soul.read()).toMatchObject({
      state: { learned: { replace: {} } },
      problem: expect.stringContaining("link"),
    });
  });
});
