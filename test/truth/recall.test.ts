import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RecalledView } from "../../src/contract/memory.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { agentFile } from "../support/team/team.ts";

let model: FakeModelServer;
let daemon: CommandedDaemon;
const WAIT = { timeout: 60_000, interval: 200 };

function embedding(name: string): string {
  return `memory: { embedding: { model: ${name}, provider: { name: openai, base_url: "${model.url}/v1", api_key: $FAKE_KEY } } }\n`;
}

const SCRIPT = `
- when: lighthouse
  steps:
    - { call: { tool: memory_recall, args: { query: what colour is the lighthouse } } }
    - { say: Looked. }
- when: ok
  steps:
    - { say: ok }
`;

beforeAll(async () => {
  model = await startFakeModelServer([]);
  daemon = await startCommandedDaemon({
    files: {
      ...agentFile("alice", "model: scripts/alice.yaml\n"),
      "scripts/alice.yaml": SCRIPT,
      ...agentFile("bob", embedding("openai/first-model")),
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

async function search(agent: string, question: string): Promise<RecalledView[]> {
  const found = (await daemon.json(["agent", "memory", agent, "search", question])) as { entries: RecalledView[] };
  return found.entries;
}

async function set(agent: string, ...args: readonly string[]) {
  return await daemon.json(["agent", "memory", agent, "set", ...args]);
}

describe("what an agent stored can be found", () => {
  it("[recall.why] says why each result was found, and its date", async () => {
    await set("alice", "harbour", "Ships unload at the northern pier on Friday.");
    const [found] = await search("alice", "where do ships unload?");
    expect(found).toMatchObject({ key: "harbour", why: "words: ships, unload", updated: expect.any(String) });
    const shown = await daemon.run(["agent", "memory", "alice", "search", "where do ships unload?"]);
    expect(shown.out).toMatch(/FOUND BY[^]*harbour +\d{4}-\d\d-\d\d.*words: ships, unload/);
  });

  it("[recall.similar] names what a new memory repeats or contradicts, and [recall.replaced] replaces it on request", async () => {
    await set("alice", "home", "Maria lives in a flat in Lisbon near the river.");
    expect(await set("alice", "new-home", "Maria lives in a flat in Oslo near the river.")).toMatchObject({
      similar: { key: "home", id: expect.stringMatching(/^mem_/) },
      replaced: null,
    });
    await daemon.run(["agent", "memory", "alice", "delete", "new-home"]);
    expect(
      await set("alice", "new-home", "Maria lives in a flat in Oslo near the river.", "--replaces", "home"),
    ).toMatchObject({ similar: null, replaced: { key: "home" }, entry: { replaces: expect.any(String) } });
    expect(readFileSync(join(daemon.project, ".agents/alice/memory/learned.yaml"), "utf8")).toMatch(
      /home:[^]*Lisbon[^]*valid_until:/,
    );
    const found = await search("alice", "Where is the flat of Maria?");
    expect(found.map(({ key, validUntil }) => [key, validUntil !== null])).toEqual([
      ["new-home", false],
      ["home", true],
    ]);
    expect((await daemon.run(["agent", "memory", "alice", "search", "flat of Maria"])).out).toMatch(
      /new-home .*working, current[^]*home .*working, until \d{4}/,
    );
    expect(await daemon.run(["agent", "memory", "alice", "set", "home", "x", "--replaces", "home"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("cannot replace itself"),
    });
  });

  it("[recall.never-a-hit] never finds the question that is being answered, nor a bare reply", async () => {
    await daemon.run(["send", "alice", "ok", "--wait"]);
    await daemon.run(["send", "alice", "The lighthouse is white and red.", "--wait"]);
    await daemon.run(["send", "alice", "What colour is the lighthouse?", "--wait"]);
    const texts = (await search("alice", "What colour is the lighthouse?")).map(({ value }) => value);
    expect(texts).toContain("The lighthouse is white and red.");
    expect(texts).not.toContain("What colour is the lighthouse?");
    expect((await search("alice", "ok")).map(({ value }) => value)).toEqual([]);
  });
});

describe("an embedding model", () => {
  it(
    "[recall.embedding] finds what shares no word with the question, without delaying anything",
    { timeout: 120_000 },
    async () => {
      await set("bob", "place", "The automobile parked behind a barn.");
      await set("bob", "lunch", "Soup at noon, every Wednesday.");
      await vi.waitFor(async () => {
        const [found] = await search("bob", "Car stands shed?");
        expect(found).toMatchObject({ key: "place", why: "near by meaning" });
      }, WAIT);
      expect(model.embeddingRequests.length).toBeGreaterThan(0);
    },
  );

  it(
    "[recall.embedding] is asked again for everything when it is changed, and its failure never fails a search",
    { timeout: 120_000 },
    async () => {
      const file = join(daemon.project, ".agents/bob.yaml");
      writeFileSync(file, readFileSync(file, "utf8").replace("first-model", "second-model"));
      await vi.waitFor(async () => {
        expect((await search("bob", "Car stands shed?"))[0]).toMatchObject({ key: "place" });
        const asked = model.embeddingRequests
          .map(({ body }) => JSON.stringify(body))
          .filter((body) => body.includes("second-model"));
        expect(asked.some((body) => body.includes("automobile"))).toBe(true);
      }, WAIT);
      writeFileSync(file, readFileSync(file, "utf8").replace(model.url, "http://127.0.0.1:9"));
      await vi.waitFor(async () => {
        expect((await search("bob", "what soup is there at noon?"))[0]).toMatchObject({ key: "lunch" });
      }, WAIT);
    },
  );
});
