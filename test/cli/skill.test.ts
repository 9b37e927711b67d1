import { execFileSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";

const SKILL = "---\nname: brewing\ndescription: How to brew.\n---\nBoil water.\n";

describe("agent-worker skill", () => {
  it("adds a skill from a folder and lists it; a second time needs --replace [skill.add] [skill.list]", async () => {
    using folder = commandFolder({ "source/brewing/SKILL.md": SKILL, "project/.agents/.keep": "" });
    const skill = (...args: string[]) => folder.run(["skill", ...args], { cwd: "project" });
    const source = realpathSync(folder.in("source/brewing"));

    expect((await skill("list")).out).toBe("There are no skills.\n");
    expect((await skill("add", "../source/brewing")).out).toBe("Added brewing: How to brew.\n");
    expect((await skill("list")).out).toBe(`brewing (project, from ${source}): How to brew.\n`);
    expect(await skill("add", "../source/brewing")).toMatchObject({ exit: 3 });
    expect(await skill("add", "../source/brewing", "--replace")).toMatchObject({ exit: 0 });
    expect(await skill("add")).toMatchObject({ exit: 2 });
  });

  it("adds one from a Git address and runs nothing of it [skill.add] [skill.list]", async () => {
    using folder = commandFolder({
      "project/.agents/.keep": "",
      "repository/brewing/SKILL.md": SKILL,
      "repository/brewing/setup.sh": "#!/bin/sh\ntouch ran\n",
    });
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd: folder.in("repository"),
        env: { PATH: process.env["PATH"], HOME: folder.path },
        encoding: "utf8",
      });
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "--message", "a skill");
    const commit = git("rev-parse", "HEAD").trim();
    const address = `file://${folder.in("repository")}`;
    const skill = (...args: string[]) => folder.run(["skill", ...args], { cwd: "project" });

    expect(await skill("add", `${address}#HEAD:brewing`)).toMatchObject({ exit: 0, err: "" });
    const { out } = await skill("list", "--json");
    expect(JSON.parse(out)).toEqual({
      skills: [
        {
          name: "brewing",
          description: "How to brew.",
          scope: "project",
          source: expect.stringMatching(new RegExp(`${address} .*${commit}`)),
        },
      ],
    });
    expect(existsSync(folder.in("project/.agents/skills/brewing/setup.sh"))).toBe(true);
    expect(existsSync(folder.in("project/ran"))).toBe(false);
  });
});
