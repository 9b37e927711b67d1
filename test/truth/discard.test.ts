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

it("[repository.apply] names what helps: for a merge that is not finished, a file in the way, an agent that is not there", async () => {
  const writer = (name: string): Record<string, string> => ({
    [`${name}.yaml`]: `- repeat: true\n  steps:\n    - call: { tool: write_file, args: { path: ${name}.txt, content: "new" } }\n    - say: done\n`,
    [`.agents/${name}.yaml`]: `name: ${name}\nbackend: mock\nmodel: ${name}.yaml\ntools: [write_file]\nworktree: true\npermissions: { mode: project }\nprompt: { system: Work. }\n`,
  });
  await using daemon = await startCommandedDaemon({ files: { "a.txt": "one\n", ...writer("a"), ...writer("new") } });
  const git = makeRepository(daemon.project);
  for (const agent of ["a", "new"]) expect(await daemon.run(["run", agent, "go"])).toMatchObject({ exit: 0 });
  daemon.write("new.txt", "mine\n");
  expect((await daemon.run(["apply", "new"])).err).toContain("new.txt.\nCommit them, or put them aside, also files");
  git("stash", "--include-untracked");
  expect(await daemon.run(["apply", "new"])).toMatchObject({ exit: 0 });

  daemon.write("a.txt", "three\n");
  git("commit", "-q", "-a", "-m", "mine");
  const nobody = await daemon.run(["apply", "a", "--to", "nobody"]);
  expect(nobody).toMatchObject({ exit: 3, err: expect.stringContaining('There is no agent called "nobody".') });
  expect(nobody.err).toContain("agent-worker agent create nobody");
  expect((await daemon.run(["diff", "a"])).out).toContain("Take it over: agent-worker apply a\n");
  expect((await daemon.run(["apply", "a", "--conflicts"])).exit).toBe(1);
  const again = await daemon.run(["apply", "a"]);
  expect(again).toMatchObject({ exit: 3, err: expect.stringContaining("git merge --abort") });
  git("merge", "--abort");
  const worktree = join(daemon.project, ".workspace/worktrees/a@global");
  expect(() => git("-C", worktree, "merge", "-q", "main")).toThrow("Command failed");
  const { out } = await daemon.run(["diff", "a"]);
  expect(out).toContain("It has conflicts that are not resolved.");
  expect(out).not.toContain("Take it over");
});
