import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";

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
