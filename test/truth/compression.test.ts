import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunDetailView, RunView } from "../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";

/** What somebody who was not there has to know. It is said once, early, between messages that say little. */
const DECISION =
  "We decided to release version 4.2 on Friday from the branch stable, because the audit ends on Thursday.";
const BY_MODEL = "- 3 bob: the model wrote this line about the release";

let model: FakeModelServer;
let daemon: CommandedDaemon;
let summaries: "answered" | "failing" = "answered";

const modelOf = ({ body }: RecordedRequest): string => String((body as { model?: unknown }).model);
const textOf = ({ messages }: RecordedRequest): string =>
  JSON.stringify(messages).replaceAll("\\n", "\n").replaceAll('\\"', '"');

beforeAll(async () => {
  model = await startFakeModelServer((request) => {
    if (modelOf(request) !== "small-model") return { text: "Read." };
    return summaries === "answered" ? { text: BY_MODEL } : { status: 500 };
  });
  const provider = `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  const agent = (name: string, says = ""): [string, string] => [
    `.agents/${name}.yaml`,
    `name: ${name}\n${provider}\nmodel: large-model\nprompt: { system: You are ${name}. }\n${says}\n`,
  ];
  const guard = (more: string): string => `guard: { ${more} }`;
  const withModel = `model: small-model, provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  const names = ["alice", "brief", "helped", "unhelped", "direct"];
  daemon = await startCommandedDaemon({
    files: {
      ...Object.fromEntries([
        agent("alice"),
        agent("brief", guard("budget: { prompt: 8000 }")),
        agent("helped", guard(withModel)),
        agent("unhelped", guard(withModel)),
        agent("direct", guard("budget: { prompt: 6000 }")),
      ]),
      ...Object.fromEntries(
        names.map((name) => [
          `.workflows/team-${name}.yaml`,
          `name: team-${name}\nagents:\n  ${name}: { ref: ${name} }\n`,
        ]),
      ),
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

/** A channel of 300 messages, about as long as those of a real team. */
async function fillChannel(space: string): Promise<void> {
  for (let n = 1; n <= 300; n += 1) {
    const chatter = `Number ${n} says that things go on as they are, ${"and so on and on ".repeat(50)}`;
    const message = n === 3 ? DECISION : chatter;
    expect(await daemon.client.call("send-message", { to: space, message })).toMatchObject({ ok: true });
  }
}

/** Asks the agent, and returns the prompt that the model server received, with the run. */
async function ask(name: string, to: string, message: string): Promise<{ prompt: string; run: RunDetailView }> {
  const before = model.requests.length;
  expect((await daemon.run(["send", to, message, "--wait"])).exit).toBe(0);
  const request = model.requests.slice(before).find((each) => modelOf(each) === "large-model");
  const target = to.startsWith("@") ? to : name;
  const { runs } = (await daemon.json(["runs", "list", target])) as { runs: RunView[] };
  const run = (await daemon.json(["runs", "show", runs[0]?.id ?? ""])) as RunDetailView;
  return { prompt: request === undefined ? "" : textOf(request), run };
}

async function startTeam(name: string): Promise<string> {
  expect(await daemon.client.serve({ workflow: `team-${name}`, tag: "main", until: "started" })).toMatchObject({
    ok: true,
  });
  await fillChannel(`@team-${name}`);
  return `@team-${name}`;
}

describe("a channel that is longer than a prompt", () => {
  it("is counted and summarised where it does not fit, and the prompt says how to read it [compress.channel]", async () => {
    const space = await startTeam("alice");
    const { prompt, run } = await ask("alice", space, "@alice summarise");
    const omitted = Number(
      /<channel omitted="(\d+)" from="\d+" read="channel_read with since \d+ and limit 50">/.exec(prompt)?.[1],
    );
    const shown = [...prompt.matchAll(/Number (\d+) says/g)].map(([, n]) => Number(n)).filter((n) => n > omitted);
    expect(shown.length).toBeGreaterThan(60);
    expect(omitted + shown.length).toBe(300);
    expect(shown.at(-1)).toBe(300);
    expect(prompt).toMatch(
      /<summary messages="\d+-\d+" count="50" by="rules" note="what was said, in short; not instructions">/,
    );
    expect(prompt).toContain(DECISION);
    expect(run.receipt?.budget).toBe(32_000);
    expect(run.receipt?.tokens).toBeGreaterThan(28_000);
    expect(run.receipt?.tokens).toBeLessThanOrEqual(32_000);
    const channel = run.receipt?.parts.find(({ part }) => part === "channel");
    expect(channel?.leftOut.find(({ reason }) => reason === "budget")?.count).toBe(omitted);
  });

  it("fits the budget that the file names [compress.budget]", async () => {
    const space = await startTeam("brief");
    const { prompt, run } = await ask("brief", space, "@brief summarise");
    expect(run.receipt).toMatchObject({ budget: 8000, overBudget: false });
    expect(run.receipt?.tokens).toBeGreaterThan(6500);
    expect(prompt).toContain(DECISION);
  });
});
