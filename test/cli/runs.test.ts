import { expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { UsageView } from "../../src/contract/usage.ts";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { value } from "../support/result.ts";

it("[ui.runs] runs lists what agents did and shows one run step by step", async () => {
  await using daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml":
        "name: alice\nbackend: mock\nmodel: scripts/alice.yaml\nprompt: { system: You are alice. }\n",
      "scripts/alice.yaml":
        "- steps:\n    - { call: { tool: todo_list, args: {} } }\n    - { say: Nothing is left. }\n",
    },
  });
  expect((await daemon.run(["runs", "list"])).out).toBe("There are no runs.\n");
  expect(await daemon.run(["send", "alice", "What is left?", "--wait"])).toMatchObject({ exit: 0 });
  const { runs } = (await daemon.json(["runs", "list", "alice", "-n", "5"])) as { runs: { id: string }[] };
  expect(runs).toMatchObject([{ agent: "alice", outcome: "answered", usage: { steps: 2 } }]);
  const { out } = await daemon.run(["runs", "list"]);
  expect(out).toMatch(/^RUN +AGENT +IN +STATE/);
  expect(out).toMatch(/^run_\w+ +alice +alice +answered/m);

  const id = runs[0]?.id ?? "";
  const shown = (await daemon.run(["runs", "show", id])).out;
  expect(shown).toContain("answers user: What is left?");
  expect(shown).toMatch(/step 1: .*\n +todo_list \{\}\n/);
  expect(shown).toContain("ended with: Nothing is left.");
  expect(await daemon.json(["runs", "show", id])).toMatchObject({
    id,
    steps: [{ calls: [{ tool: "todo_list" }] }, {}],
  });
  expect(await daemon.run(["runs", "show", "run_none"])).toMatchObject({ exit: 3, out: "" });
});

it("[ui.ask-again] runs retry asks again from a step with another model, apart from the conversation", async () => {
  const script = (answer: string) =>
    `- steps:\n    - { call: { tool: todo_list, args: {} } }\n    - { say: "${answer}" }\n`;
  await using daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml":
        "name: alice\nbackend: mock\nmodel: scripts/alice.yaml\nprompt: { system: You are alice. }\n",
      "scripts/alice.yaml": script("Nothing is left."),
      "scripts/other.yaml": script("There is more."),
    },
  });
  await daemon.run(["send", "alice", "What is left?", "--wait"]);
  const { runs } = (await daemon.json(["runs", "list", "alice"])) as { runs: { id: string }[] };
  const id = runs[0]?.id ?? "";
  const choice = ["--from-step", "2", "--model", "scripts/other.yaml"];
  const asked = (await daemon.json(["runs", "retry", id, ...choice])) as { agent: string; run: string };
  expect(asked.agent).toBe("alice-again-1");
  const answers = async () =>
    ((await daemon.json(["peek", asked.agent])) as { messages: { from: string; content: string }[] }).messages
      .filter(({ from }) => from === asked.agent)
      .map(({ content }) => content);
  await expect.poll(answers, { timeout: 20_000 }).toEqual(["There is more."]);
  // The first step stayed, and only the second was made again.
  const again = (await daemon.json(["runs", "show", asked.run])) as { answers: { run: string } };
  expect(again).toMatchObject({
    outcome: "answered",
    steps: [{ calls: [{ tool: "todo_list" }], usage: { wallTimeMs: 0 } }, { calls: [] }],
    answers: { run: id },
  });
  const { messages } = (await daemon.json(["peek", "alice"])) as { messages: unknown[] };
  expect(messages).toHaveLength(2);

  // All steps again, with another system prompt.
  const whole = (await daemon.json(["runs", "retry", id, "--system", "You are strict."])) as { agent: string };
  expect(whole).toMatchObject({ agent: "alice-again-2", run: null });
  await expect
    .poll(async () => daemon.json(["runs", "list", "alice-again-2"]), { timeout: 20_000 })
    .toMatchObject({ runs: [{ outcome: "answered", usage: { steps: 2 } }] });
  expect(await daemon.run(["runs", "retry", id, "--from-step", "9"])).toMatchObject({ exit: 2 });
});

it("[ui.ask-again] [ui.usage-history] what was asked again counts like any run, in every sum and after a restart", async () => {
  await using daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml":
        "name: alice\nbackend: mock\nmodel: scripts/alice.yaml\nprompt: { system: You are alice. }\n",
      "scripts/alice.yaml": `- when: What is left
  repeat: true
  steps:
    - { call: { tool: todo_list, args: {} } }
    - { say: Nothing. }
- when: fail
  steps:
    - { fail: permanent, message: No. }
`,
    },
  });
  await daemon.run(["send", "alice", "What is left?", "--wait"]);
  await daemon.run(["send", "alice", "fail", "--wait"]);
  const runsOf = async (client: Client, target?: string) =>
    value(await client.call("list-runs", target === undefined ? {} : { target })).runs;
  const [id = ""] = (await runsOf(daemon.client)).filter(({ outcome }) => outcome === "answered").map((run) => run.id);
  for (const from of ["1", "2"]) await daemon.run(["runs", "retry", id, "--from-step", from]);
  for (const copy of ["alice-again-1", "alice-again-2"]) {
    await expect.poll(() => runsOf(daemon.client, copy), { timeout: 20_000 }).toMatchObject([{ outcome: "answered" }]);
  }

  /** The same sums, as every view reads them. */
  const figures = async (client: Client) => {
    const { total, agents, days } = value(await client.call("show-usage", {}));
    const by = async (part: "agent" | "workflow" | "workspace" | "model") =>
      sumOf(value(await client.call("list-usage-history", { by: part })).days.map(({ usage }) => usage));
    const sums = [
      sumOf([total]),
      sumOf(agents.map(({ usage }) => usage)),
      sumOf(days.map(({ usage }) => usage)),
      await by("agent"),
      await by("workflow"),
      await by("workspace"),
      await by("model"),
    ];
    return { sums, runs: (await runsOf(client)).length };
  };
  const before = await figures(daemon.client);
  expect(before.runs).toBe(4);
  expect(new Set(before.sums)).toEqual(new Set([before.sums[0]]));
  expect(before.sums[0]).toMatch(/^4 runs/);
  await daemon.stop();
  await using restarted = await daemon.restart();
  expect(await figures(restarted.client)).toEqual(before);
  // Its name is not given to another copy.
  expect(value(await restarted.client.call("retry-run", { id })).agent).toBe("alice-again-3");
});

function sumOf(usages: readonly UsageView[]): string {
  const sum = (of: (usage: UsageView) => number): number => usages.reduce((all, usage) => all + of(usage), 0);
  return `${sum(({ runs }) => runs)} runs, ${sum(({ steps }) => steps)} steps, ${sum(({ tokens }) => tokens.total)} tokens, $${sum(({ cost }) => cost.knownUsd)}, ${sum(({ cost }) => cost.unknownSteps)} unknown`;
}

it("[ui.search] [ui.timeline] search finds a text, and the timeline says who woke whom", async () => {
  await using daemon = await startCommandedDaemon({
    files: { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" },
  });
  await daemon.run(["send", "alice", "the needle is here", "--wait"]);
  const { out } = await daemon.run(["search", "NEEDLE", "-n", "1"]);
  expect(out).toMatch(/message +alice \d+ +alice: /);
  expect(out).toMatch(/Earlier messages: agent-worker search "NEEDLE" --before \d+/);
  expect(await daemon.json(["search", "nowhere"])).toMatchObject({ messages: [], next: null });
  expect((await daemon.run(["runs", "timeline", "alice"])).out).toMatch(/^RUN +WOKEN BY[^\n]*\nrun_\w+ +user +alice/);
  expect((await daemon.run(["stats", "--by", "model"])).out).toMatch(/^DAY +MODEL[^\n]*\n\d{4}-\d\d-\d\d /);
});
