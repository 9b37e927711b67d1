import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
const run = promisify(execFile);

describe("skill", () => {
  it("adds a skill from a folder and lists it; a second time needs --replace", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("source/brewing"), { recursive: true });
    writeFileSync(
      folder.in("source/brewing/SKILL.md"),
      "---\nname: brewing\ndescription: How to brew.\n---\nBoil water.\n",
    );
    mkdirSync(folder.in("project/.agents"), { recursive: true });
    const env = { PATH: process.env.PATH, HOME: folder.in("home") };
    const skill = (...args: string[]) =>
      run(process.execPath, [launcher, "skill", ...args], { cwd: folder.in("project"), env });

    expect((await skill("list")).stdout).toBe("There are no skills.\n");
    expect((await skill("add", "../source/brewing")).stdout).toBe("Added brewing: How to brew.\n");
    expect((await skill("list")).stdout).toBe("brewing (project): How to brew.\n");
    await expect(skill("add", "../source/brewing")).rejects.toMatchObject({ code: 3 });
    await skill("add", "../source/brewing", "--replace");
    await expect(skill("add")).rejects.toMatchObject({ code: 2 });
  });
});
