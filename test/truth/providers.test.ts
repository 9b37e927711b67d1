import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunDetailView, RunView } from "../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";

const PATIENT = { timeout: 20_000 };
const EMPTY_ACCOUNT = { type: "insufficient_quota", message: "You exceeded your current quota." };

let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    switch (modelOf(request)) {
      case "busy":
        return { status: 503, headers: { "retry-after": "600" } };
      case "empty-account":
      case "spent":
        return { status: 429, error: EMPTY_ACCOUNT };
      case "pings":
        return { text: [], fault: "keep-alives" };
      case "filters":
        return { text: [], finish: "content-filter" };
      default:
        return { text: `This is ${String(modelOf(request))}.` };
    }
  });
  const provider = `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  const agent = (name: string, says: string): [string, string] => [
    `.agents/${name}.yaml`,
    `name: ${name}\n${provider}\nprompt: { system: You are ${name}. }\n${says}\n`,
  ];
  daemon = await startCommandedDaemon({
    files: Object.fromEntries([
      agent("bob", "model: busy"),
      agent("quinn", "model: spent"),
      agent("silent", "model: [pings, good]\ntimeouts: { first_byte: 1s, between: 60s }"),
      agent("first", "model: [empty-account, good]"),
      agent("second", "model: [empty-account, good]"),
      agent("careful", "model: [filters, good]"),
      agent("only", "model: filters"),
    ]),
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

function modelOf({ body }: RecordedRequest): unknown {
  return (body as { model?: unknown }).model;
}

function askedOf(name: string): number {
  return model.requests.filter((request) => modelOf(request) === name).length;
}

async function lastRun(agent: string): Promise<RunDetailView> {
  const { runs } = (await daemon.json(["runs", "list", agent])) as { runs: RunView[] };
  return (await daemon.json(["runs", "show", runs[0]?.id ?? ""])) as RunDetailView;
}

describe("the time that a provider named", () => {
  it.each([
    ["bob", "busy"],
    ["quinn", "spent"],
  ])("holds for every message for %s, and one line says that it waits [trouble.provider-time]", async (name, asked) => {
    const wait = ["--wait-limit", "1s"];
    expect((await daemon.run(["serve", name, "first", ...wait])).exit).toBe(1);
    expect(askedOf(asked)).toBe(1);
    const again = await daemon.run(["serve", name, "again", ...wait]);
    expect(again).toMatchObject({ exit: 1, err: expect.stringContaining("has to wait") });
    await daemon.run(["send", name, "once more"]);
    const waiting = async (): Promise<number> => {
      const listed = await daemon.client.call("list-deliveries", { target: name });
      return listed.ok ? listed.value.deliveries.length : 0;
    };
    await expect.poll(waiting, PATIENT).toBe(3);
    expect(askedOf(asked)).toBe(1);
    const { out } = await daemon.run(["ls"]);
    expect(out.split("\n").filter((line) => line.startsWith(`${name} waits`))).toHaveLength(1);
    expect(out).toContain("name another model");
  });

  it("is forgotten when the person names another model, and everything is answered [trouble.provider-time]", async () => {
    const file = readFileSync(join(daemon.project, ".agents/bob.yaml"), "utf8");
    daemon.write(".agents/bob.yaml", file.replace("model: busy", "model: good"));
    await expect.poll(async () => (await daemon.run(["inbox", "bob"])).out, PATIENT).toContain("Nothing waits");
    const { runs } = (await daemon.json(["runs", "list", "bob"])) as { runs: RunView[] };
    expect(runs.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "answered"]);
  });
});

describe("timeouts.first_byte", () => {
  it("counts until the first content: headers and pings are none [engine.first-content]", async () => {
    expect((await daemon.run(["send", "silent", "hello", "--wait"])).out).toContain("This is good.");
    const { receipt } = await lastRun("silent");
    expect(receipt?.fallbacks?.[0]).toContain("no answer within 1 s (timeouts.first_byte)");
  });
});

describe("a list of models", () => {
  it("says in every conversation, and in the run, that a model which failed is passed over [money.fallback-said]", async () => {
    await daemon.run(["send", "first", "hello", "--wait"]);
    await daemon.run(["send", "second", "hello", "--wait"]);
    await daemon.run(["send", "second", "hello again", "--wait"]);
    expect(askedOf("empty-account")).toBe(1);
    for (const name of ["first", "second"]) {
      const { out } = await daemon.run(["peek", name]);
      expect(out.split("goes on with good, because empty-account failed")).toHaveLength(2);
    }
    const run = await lastRun("second");
    expect((await daemon.run(["runs", "show", run.id])).out).toMatch(
      /model anthropic\/good\n +second goes on with good, because empty-account failed: .*quota/,
    );
  });

  it("goes on when a content filter withheld the whole answer; the only model says so [money.withheld]", async () => {
    const { out, exit } = await daemon.run(["send", "careful", "hello", "--wait"]);
    expect({ out, exit }).toMatchObject({ exit: 0, out: expect.stringContaining("This is good.") });
    expect((await daemon.run(["peek", "careful"])).out).toContain("content filter withheld the whole answer");
    const before = askedOf("filters");
    await daemon.run(["send", "careful", "hello again", "--wait"]);
    expect(askedOf("filters")).toBe(before + 1);
    expect((await daemon.run(["send", "only", "hello", "--wait"])).exit).toBe(1);
  });
});
