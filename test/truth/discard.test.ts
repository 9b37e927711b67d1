import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { makeRepository } from "../support/repository/git-repository.ts";
import { eventually } from "../support/team/running-project.ts";

const SCRIPT = `- repeat: true
  steps:
    - call: { tool: write_file, args: { path: a.txt, content: "two" } }
    - say: done
`;
const CODER =
  "name: coder\nbackend: mock\nmodel: coder.yaml\ntools: [write_file]\nworktree: true\npermissions: { mode: project, ask: [write_file] }\nprompt: { system: Work. }\n";

it("[repository.discard] is refused while a call in the worktree waits for a yes, and drops the call of a stopped workspace", async () => {
  await using daemon = await startCommandedDaemon({
    files: {
      "a.txt": "one\n",
      "coder.yaml": SCRIPT,
      ".agents/coder.yaml": CODER,
      ".workflows/fix.yaml": 'agents: { coder: { ref: coder } }\nkickoff: "@coder go"\n',
    },
  });
  makeRepository(daemon.project);
  const waiting = async (state: "pending" | "all" = "pending") => {
    const listed = await daemon.client.call("list-approvals", { state });
    return listed.ok ? listed.value.approvals : [];
  };
  expect(await daemon.run(["send", "coder", "go"])).toMatchObject({ exit: 0 });
  await eventually("the call waits", async () => (await waiting()).length === 1);
  const id = (await waiting())[0]?.id ?? "";
  const refused = await daemon.run(["discard", "coder", "--yes"]);
  expect(refused).toMatchObject({ exit: 3, out: "" });
  expect(refused.err).toContain(`coder waits in the worktree of coder for a yes to write_file (${id}).`);
  expect(refused.err).toContain(`agent-worker deny ${id}. Or stop the work: agent-worker stop coder`);
  expect(existsSync(join(daemon.project, ".workspace/worktrees/coder@global"))).toBe(true);
  expect(await daemon.run(["stop", "coder"])).toMatchObject({ exit: 0 });
  expect(await daemon.run(["discard", "coder", "--yes"])).toMatchObject({ exit: 0 });

  expect(await daemon.run(["start", "fix"])).toMatchObject({ exit: 0 });
  await eventually("the other call waits", async () => (await waiting()).length === 1);
  expect((await daemon.run(["discard", "coder@fix", "--yes"])).exit).toBe(3);
  expect(await daemon.run(["stop", "@fix"])).toMatchObject({ exit: 0 });
  expect(await daemon.run(["discard", "coder@fix", "--yes"])).toMatchObject({ exit: 0 });
  expect((await waiting("all")).map(({ state }) => state)).toEqual(["denied", "denied"]);
});
