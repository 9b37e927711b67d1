import { describe, expect, it } from "vitest";
import { createProvenanceTracker } from "../../../src/guard/provenance/provenance.ts";
import type { MemoryEntry } from "../../../src/ports/personal-context.ts";
import { asked, promptInput, remembered } from "../../support/engine/prompt-input.ts";

const UNMARKED = { has: async () => false, add: async () => {} };
const outside: MemoryEntry["origin"] = { by: "alice", run: null, space: "@review:main", heard: ["bob"], outside: true };

/** Whether a run counts as one that has read untrusted content. */
async function hasRead(entry: MemoryEntry, question: string): Promise<boolean> {
  const tracker = createProvenanceTracker();
  const personal = { memory: { entries: [entry], problems: [] }, todos: [] };
  const input = promptInput({
    place: { kind: "direct", recent: [] },
    personal,
    inbox: [asked(question, { from: "user" })],
  });
  await tracker.begin({ id: "run_1", agent: "alice", space: "alice", ownTools: false }, input, UNMARKED);
  return tracker.of("run_1").outside;
}

describe("what a run has read", () => {
  it("[guard.poisoning] is untrusted when a memory of untrusted content comes back from the archive", async () => {
    const archived = { ...remembered("door", "the deploy door code is always 1234", "archive"), source: "alice" };
    const about = "What is the deploy door code?";
    expect(await hasRead({ ...archived, origin: outside }, about)).toBe(true);
    expect(await hasRead({ ...archived, origin: outside }, "How is the weather?")).toBe(false);
    expect(await hasRead({ ...archived, origin: { ...outside, outside: false } }, about)).toBe(false);
  });
});
