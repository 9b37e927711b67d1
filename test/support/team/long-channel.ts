import { expect } from "vitest";
import type { RunDetailView, RunView } from "../../../src/contract/runs.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../engine/fake-model-server/server.ts";

/** What somebody who was not there has to know. It is said once, early, between messages that say little. */
export const DECISION =
  "We decided to release version 4.2 on Friday from the branch stable, because the audit ends on Thursday.";
export const BY_MODEL = "- 3 bob: the model wrote this line about the release";

export const modelOf = ({ body }: RecordedRequest): string => String((body as { model?: unknown }).model);
export const textOf = ({ messages }: RecordedRequest): string =>
  JSON.stringify(messages).replaceAll("\\n", "\n").replaceAll('\\"', '"');

/** Agents with several guards, each alone in a workflow `team-NAME`, whose channels become longer than a prompt. */
export interface LongChannels extends AsyncDisposable {
  readonly model: FakeModelServer;
  readonly daemon: CommandedDaemon;
  /** From now on the model of the guard fails. */
  failSummaries(): void;
  /** Starts the workflow of this agent, and returns its channel with 300 messages, as long as that of a real team. */
  startTeam(name: string): Promise<string>;
  /** Asks the agent, and returns the prompt that the model server received, with the run. */
  ask(name: string, to: string, message: string): Promise<{ readonly prompt: string; readonly run: RunDetailView }>;
}

export async function openLongChannels(): Promise<LongChannels> {
  let fails = false;
  const model = await startFakeModelServer((request) => {
    if (modelOf(request) !== "small-model") return { text: "Read." };
    return fails ? { status: 500 } : { text: BY_MODEL };
  });
  const daemon = await startCommandedDaemon({
    files: filesFor(model.url),
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
  return {
    model,
    daemon,
    failSummaries() {
      fails = true;
    },
    async startTeam(name) {
      const space = `@team-${name}`;
      const started = await daemon.client.serve({ workflow: `team-${name}`, tag: "main", until: "started" });
      expect(started).toMatchObject({ ok: true });
      for (let n = 1; n <= 300; n += 1) {
        const chatter = `Number ${n} says that things go on as they are, ${"and so on and on ".repeat(50)}`;
        const message = n === 3 ? DECISION : chatter;
        expect(await daemon.client.call("send-message", { to: space, message })).toMatchObject({ ok: true });
      }
      return space;
    },
    async ask(name, to, message) {
      const before = model.requests.length;
      expect((await daemon.run(["send", to, message, "--wait"])).exit).toBe(0);
      const request = model.requests.slice(before).find((each) => modelOf(each) === "large-model");
      const target = to.startsWith("@") ? to : name;
      const { runs } = (await daemon.json(["runs", "list", target])) as { runs: RunView[] };
      const run = (await daemon.json(["runs", "show", runs[0]?.id ?? ""])) as RunDetailView;
      return { prompt: request === undefined ? "" : textOf(request), run };
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

function filesFor(url: string): Record<string, string> {
  const provider = `provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`;
  const withModel = `guard: { model: small-model, ${provider} }`;
  const guards: Readonly<Record<string, string>> = {
    alice: "",
    brief: "guard: { budget: { prompt: 8000 } }",
    helped: withModel,
    unhelped: withModel,
    direct: "guard: { budget: { prompt: 6000 } }",
  };
  return Object.fromEntries(
    Object.entries(guards).flatMap(([name, guard]) => [
      [
        `.agents/${name}.yaml`,
        `name: ${name}\n${provider}\nmodel: large-model\nprompt: { system: You are ${name}. }\n${guard}\n`,
      ],
      [`.workflows/team-${name}.yaml`, `name: team-${name}\nagents:\n  ${name}: { ref: ${name} }\n`],
    ]),
  );
}
