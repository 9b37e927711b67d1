import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunDetailView, RunView } from "../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";

/** A million tokens of input and half a million of output for each answer: costs are whole dollars. */
const USAGE = { input: 1_000_000, output: 500_000 };
const EMPTY_ACCOUNT = { type: "insufficient_quota", message: "You exceeded your current quota." };
const NO_MODEL = { type: "not_found_error", message: "There is no such model." };
const PROJECT = 'prices: { "*/house-model": { input: 1, output: 2 } }\n';

let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    const asked = modelOf(request);
    if (asked === "empty-account") return { status: 429, error: EMPTY_ACCOUNT };
    if (asked === "refuses") return { status: 404, error: NO_MODEL };
    const talks = JSON.stringify(request.messages).includes("keep talking");
    return talks
      ? { text: "more", toolCalls: [{ name: "todo_list", args: {} }], usage: USAGE }
      : { text: `This is ${String(asked)}.`, usage: USAGE };
  });
  const provider = `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  const agent = (name: string, says: string): [string, string] => [
    `.agents/${name}.yaml`,
    `name: ${name}\n${provider}\nprompt: { system: You are ${name}. }\n${says}\n`,
  ];
  daemon = await startCommandedDaemon({
    files: {
      "moniro.yaml": PROJECT,
      ...Object.fromEntries([
        agent("listed", "model: claude-sonnet-5"),
        agent("housed", "model: house-model"),
        agent("nobody-knows", "model: strange-model"),
        agent("thrifty", "model: house-model\nbudget: { cost_usd: 3 }"),
        agent("blind", "model: strange-model\nbudget: { cost_usd: 3 }"),
        agent("later", "model: later-model\nbudget: { cost_usd: 3 }"),
        agent("earlier", "model: later-model"),
        agent("cautious", "model: [empty-account, refuses, house-model]"),
        agent("unlucky", "model: [empty-account, refuses]"),
      ]),
    },
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

async function lastRun(agent: string): Promise<RunDetailView> {
  const { runs } = (await daemon.json(["runs", "list", agent])) as { runs: RunView[] };
  return (await daemon.json(["runs", "show", runs[0]?.id ?? ""])) as RunDetailView;
}

describe("what work costs", () => {
  it("is estimated by the listed price of the model, and says so [money.estimated]", async () => {
    await daemon.run(["send", "listed", "Hello.", "--wait"]);
    const run = await lastRun("listed");
    expect(run).toMatchObject({ model: "anthropic/claude-sonnet-5", usage: { cost: { basis: "estimated", usd: 7 } } });
    const { out } = await daemon.run(["stats", "listed"]);
    expect(out).toContain("$7.00 estimated");
  });

  it("follows the prices of the project file [money.prices]", async () => {
    await daemon.run(["send", "housed", "Hello.", "--wait"]);
    expect((await lastRun("housed")).usage.cost).toMatchObject({ basis: "estimated", usd: 2 });
  });

  it("is unknown, not nothing, when no one knows the price [money.unknown]", async () => {
    await daemon.run(["send", "nobody-knows", "Hello.", "--wait"]);
    expect((await lastRun("nobody-knows")).usage.cost).toMatchObject({ basis: "unknown", usd: null });
    expect((await daemon.run(["stats", "nobody-knows"])).out).toContain("unknown");
  });

  it("stops the work when a budget of dollars is used up [money.budget]", async () => {
    await daemon.run(["send", "thrifty", "Please keep talking.", "--wait"]);
    const run = await lastRun("thrifty");
    expect(run.steps).toHaveLength(2);
    expect(run.outcome).not.toBe("answered");
    expect((await daemon.run(["peek", "thrifty"])).out).toContain("used up: $3");
  });

  it("stops the work after one step when a budget of dollars cannot be kept, and `check` warns of it [money.unknown-budget]", async () => {
    await daemon.run(["send", "blind", "Please keep talking.", "--wait"]);
    expect((await lastRun("blind")).steps).toHaveLength(1);
    expect((await daemon.run(["peek", "blind"])).out).toContain('under "prices"');
    const { err } = await daemon.run(["check"]);
    expect(err).toMatch(/blind\.yaml:\d+:\d+: warning: What blind costs on anthropic\/strange-model is not known/);
    expect(err).not.toContain("thrifty.yaml");
  });
});

describe("a price that is added later", () => {
  it("counts for what was done before, so that the advice of the stopped work helps [money.later-price]", async () => {
    await daemon.run(["send", "later", "Hello.", "--wait"]);
    await daemon.run(["send", "earlier", "Hello.", "--wait"]);
    const stopped = await daemon.run(["send", "later", "And again.", "--wait"]);
    expect(stopped).toMatchObject({ exit: 1, err: expect.stringContaining('set it under "prices"') });
    daemon.write("moniro.yaml", PROJECT.replace("}\n", ', "*/later-model": { input: 1, output: 2 } }\n'));
    const estimated = async () => (await daemon.run(["stats", "earlier"])).out.includes("$2.00 estimated");
    await expect.poll(estimated, { timeout: 20_000 }).toBe(true);
    daemon.write(
      ".agents/earlier.yaml",
      `${readFileSync(join(daemon.project, ".agents/earlier.yaml"), "utf8")}budget: { cost_usd: 3 }\n`,
    );
    await daemon.run(["dead", "retry", "--agent", "later", "--yes"]);
    await expect.poll(async () => (await lastRun("later")).outcome, { timeout: 20_000 }).toBe("answered");
    expect((await lastRun("later")).usage.cost).toMatchObject({ basis: "estimated", usd: 2 });
    expect((await daemon.run(["stats", "later"])).out).toContain("$4.00 estimated");
    expect((await daemon.run(["send", "earlier", "And again.", "--wait"])).exit).toBe(0);
    const full = await daemon.run(["send", "earlier", "Once more.", "--wait"]);
    expect(full).toMatchObject({ exit: 1, err: expect.stringMatching(/used up: \$3\./) });
  });
});

describe("a list of models", () => {
  it("goes on with the next model when one has no quota or refuses, and says so in the run and the channel [money.fallback]", async () => {
    const { out, exit } = await daemon.run(["send", "cautious", "Hello.", "--wait"]);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining("This is house-model.") });
    expect((await lastRun("cautious")).model).toBe("anthropic/house-model");
    const channel = (await daemon.run(["peek", "cautious"])).out;
    expect(channel).toMatch(/cautious goes on with refuses, because empty-account failed: .*quota/);
    expect(channel).toMatch(/cautious goes on with house-model, because refuses failed/);
  });

  it("does not ask a model again at once that has just failed [money.fallback-again]", async () => {
    const before = model.requests.filter((request) => modelOf(request) === "empty-account").length;
    await daemon.run(["send", "cautious", "And again.", "--wait"]);
    expect(model.requests.filter((request) => modelOf(request) === "empty-account")).toHaveLength(before);
  });
});
