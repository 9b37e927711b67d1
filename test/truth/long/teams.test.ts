import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TEAM_NAMES } from "../../../src/files/project/team-templates.ts";
import { commandFolder, type CommandFolder } from "../../support/daemon/installed-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";

const PATIENT = { timeout: 120_000 };
const ALONE = { PATH: "/usr/bin:/bin", AGENT_WORKER_PORT: "0", AGENT_WORKER_TRUST: "" };

/** Ends the daemon that the commands of a folder started. */
function ending(folder: CommandFolder): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await folder.run(["daemon", "stop"], { env: ALONE })) };
}

describe("init --team", () => {
  it("makes each team, which is in order and runs to its end without a question [begin.teams]", PATIENT, async () => {
    using folder = commandFolder();
    await using _daemon = ending(folder);
    expect(TEAM_NAMES.toSorted()).toEqual(
      [...readdirSync("templates").filter((name) => !name.includes(".")), "empty"].toSorted(),
    );
    for (const team of TEAM_NAMES) {
      const made = await folder.run(["init", team, "--team", team, "--backend", "mock", "--json"], { env: ALONE });
      const { next } = JSON.parse(made.out) as { next: string[] };
      expect(next[0]).toBe(`cd ${team}`);
      expect(await folder.run(["check"], { cwd: team, env: ALONE })).toMatchObject({ exit: 0, out: / 0 problems\n$/ });
      if (team === "empty") continue;
      expect(next[1]).toBe(`agent-worker run ${team}`);
      expect(await folder.run(["run", team], { cwd: team, env: ALONE })).toMatchObject({ exit: 0 });
    }
  });

  it(
    "review finds the planted bug of my branch with a model of my own, and writes it down [begin.teams]",
    PATIENT,
    async () => {
      await using model = await startFakeModelServer((request) => {
        const asked = JSON.stringify(request.messages);
        if (!asked.includes("a - b")) return { text: "I see no change." };
        if (asked.includes('"role":"tool"')) return { text: "sum.js:1 subtracts: sum(1, 2) is -1." };
        return { toolCalls: [{ name: "team_doc_write", args: { file: "review.md", content: "sum.js:1 subtracts" } }] };
      });
      using folder = commandFolder({ "sum.js": "export const sum = (a, b) => a + b;\n" });
      await using _daemon = ending(folder);
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
          cwd: folder.path,
          stdio: "pipe",
        });
      git("init", "-q", "-b", "main");
      git("add", "sum.js");
      git("commit", "-qm", "Add");
      git("checkout", "-qb", "change");
      writeFileSync(folder.in("sum.js"), "export const sum = (a, b) => a - b;\n");
      git("commit", "-qam", "Change");

      const made = await folder.run(["init", "--team", "review", "--model", "fake", "--base-url", `${model.url}/v1`], {
        env: ALONE,
      });
      expect(made).toMatchObject({ exit: 0, err: "" });
      const { exit, out } = await folder.run(["run", "review"], { env: ALONE });
      expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining("sum(1, 2) is -1") });
      expect((await folder.run(["doc", "read", "@review", "review.md"], { env: ALONE })).out).toContain("subtracts");
    },
  );
});
