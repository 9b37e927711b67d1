import { expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { listMemoryChanges } from "../../../src/operations/memory-changes/list-memory-changes.ts";
import { undoMemoryChange } from "../../../src/operations/memory-changes/undo-memory-change.ts";
import { getMemory } from "../../../src/operations/memory/get-memory.ts";
import { useMemory } from "../../../src/operations/memory/use-memory.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { callOk, type TestProject } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FACT = "The shop is deployed from the branch stable by the night job";

const memory = (...keys: readonly string[]): string =>
  keys
    .map(
      (key) =>
        `${key}: { value: "${FACT}", tier: working, visibility: private, source: alice, updated: 2026-01-0${key.length}T00:00:00Z }\n`,
    )
    .join("");

const changed = async (project: TestProject) =>
  (await callOk(project, person, listMemoryChanges, {})).changes.map(({ kind, subject }) => `${kind} ${subject}`);

/** The worker looks every few minutes. Between two looks it needs a moment of real time to read files. */
async function pass(project: TestProject, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5 * MINUTE) {
    project.clock.advance(Math.min(left, 5 * MINUTE));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it("tidies up after some quiet minutes, once a day, and again after a restart [tidy.idle]", async () => {
  await using first = await openTeam({ files: { ".agents/alice/memory/notes.yaml": memory("a", "bb") } });
  await pass(first, 5 * MINUTE);
  expect(await changed(first)).toEqual([]);
  await expect
    .poll(async () => {
      await pass(first, 5 * MINUTE);
      return changed(first);
    })
    .toEqual(["merged a"]);

  first.write(".agents/alice/memory/notes.yaml", memory("a", "bb", "ccc"));
  await using project = await first.reopen();
  await pass(project, 60 * MINUTE);
  expect(await changed(project)).toEqual(["merged a"]);
  await expect
    .poll(async () => {
      await pass(project, 5 * MINUTE);
      if (project.clock.now() < Date.UTC(2026, 0, 6, 10)) project.clock.advance(DAY);
      return changed(project);
    })
    .toContain("merged bb");
});

it("does nothing where it is switched off [tidy.off]", async () => {
  await using project = await openTeam({
    files: {
      ".agents/alice.yaml":
        "name: alice\nbackend: mock\nprompt: { system: You review. }\nguard: { consolidate: false }\n",
      ".agents/alice/memory/notes.yaml": memory("a", "bb"),
      ".agents/bob/memory/notes.yaml": memory("a", "bb").replaceAll("alice", "bob"),
    },
  });
  await expect
    .poll(async () => {
      await pass(project, 5 * MINUTE);
      return (await callOk(project, person, listMemoryChanges, {})).changes.map(({ agent }) => agent);
    })
    .toEqual(["bob"]);
});

it("takes entries out of the archive that were recalled often, and never makes any core [tidy.promoted]", async () => {
  await using project = await openTeam();
  await callOk(project, person, setMemory, { agent: "alice", key: "old", value: FACT, tier: "archive" });
  const { entry } = await callOk(project, person, getMemory, { agent: "alice", key: "old" });
  for (let n = 0; n < 3; n += 1) {
    await callOk(project, systemCaller, useMemory, { agent: "alice", entries: [entry.id ?? "old"] });
  }
  await expect
    .poll(async () => {
      await pass(project, 5 * MINUTE);
      return changed(project);
    })
    .toEqual(["promoted old"]);
  expect((await callOk(project, person, getMemory, { agent: "alice", key: "old" })).entry.tier).toBe("working");
  const { changes } = await callOk(project, person, listMemoryChanges, { agent: "alice" });
  await callOk(project, person, undoMemoryChange, { id: changes[0]?.id ?? "" });
  expect((await callOk(project, person, getMemory, { agent: "alice", key: "old" })).entry.tier).toBe("archive");
});
