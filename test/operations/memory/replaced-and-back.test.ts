import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listMemory } from "../../../src/operations/memory/list-memory.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { sharedEntries } from "../../../src/guard/memory/shared-summary.ts";
import { callOk } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

describe("a memory that was replaced", () => {
  it("[recall.replaced] is true again when it is written anew, and what replaced it can be replaced by it", async () => {
    await using project = await openTeam();
    const set = async (key: string, value: string, replaces?: string) => {
      project.clock.advance(1_000);
      await callOk(project, person, setMemory, { agent: "alice", key, value, replaces });
    };
    const current = async (): Promise<string[]> => {
      const { entries } = await callOk(project, person, listMemory, { agent: "alice" });
      return entries.filter(({ validUntil }) => validUntil === null).map(({ key }) => key);
    };
    await set("port", "The server listens on port 80");
    await set("port2", "The server listens on port 81", "port");
    expect(await current()).toEqual(["port2"]);
    await set("port", "The server listens on port 9999 since today");
    expect(await current()).toEqual(["port", "port2"]);
    await set("port", "The server listens on port 82", "port2");
    expect(await current()).toEqual(["port"]);
  });

  it("[recall.replaced] is told to no other agent", async () => {
    const entry = { key: "a", visibility: "public" } as Parameters<typeof sharedEntries>[0][number];
    expect(sharedEntries([entry, { ...entry, key: "b", validUntil: "2026-01-01T00:00:00Z" }], null)).toEqual([entry]);
  });
});
