import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/ports/engine.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { openLiveTestProject } from "../../support/team/running-project.ts";

describe("an agent with a worktree", () => {
  it("works in one for each workspace, and in its own in direct messages", async () => {
    const folders: string[] = [];
    const inner = scriptedEngine(() => "Done.");
    const engine: Engine = {
      ...inner,
      open: (spec, signal) => {
        folders.push(spec.cwd);
        return inner.open(spec, signal);
      },
    };
    await using project = await openLiveTestProject({
      engine,
      files: {
        ".agents/alice.yaml":
          "name: alice\nbackend: mock\nworktree: true\npermissions: {mode: project}\ncwd: src\nprompt: {system: You are Alice.}\n",
        ".workflows/review.yaml": "name: review\nagents: {alice: {ref: alice}}\n",
        "src/a.txt": "a",
      },
    });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=Zoë", "-c", "user.email=zoe@example.com", ...args], { cwd: project.dir });
    git("init", "-q");
    git("add", "src");
    git("commit", "-q", "-m", "first");
    await project.open("review");
    await project.send("@review", "@alice please look.");
    await project.quiet();
    await project.send("alice", "And you?");
    await project.quiet();
    expect(folders).toEqual([
      `${project.dir}/.workspace/worktrees/alice@review.main/src`,
      `${project.dir}/.workspace/worktrees/alice@global/src`,
    ]);
  });
});
