import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
const execute = promisify(execFile);

describe("run", () => {
  it("takes a file anywhere, parameters after --, and the message of a person", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("project/.agents"), { recursive: true });
    writeFileSync(
      folder.in("greet.yaml"),
      [
        "name: greet",
        "agents:",
        "  ann: { backend: mock, prompt: { system: Answer. } }",
        "params: { who: { type: string, required: true }, loud: { type: boolean, default: false } }",
        'kickoff: "Greet ${{ params.who }}, loud: ${{ params.loud }}."',
        "",
      ].join("\n"),
    );
    const run = (...args: string[]) =>
      execute(process.execPath, [launcher, "run", "../greet.yaml", ...args], {
        cwd: folder.in("project"),
        env: { PATH: process.env.PATH, HOME: folder.path },
      });

    const { stdout } = await run("@ann please", "--", "--who", "everyone", "--loud");
    expect(stdout).toContain("system      Greet everyone, loud: true.");
    expect(stdout).toMatch(/^ann {2,}/m);

    await expect(run("--", "whom=x")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("who") as string,
    });
    writeFileSync(folder.in("greet.yaml"), "name: greet\nagnets: {}\n");
    await expect(run()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("greet.yaml:2:1") as string });
  });

  it("asks an agent by its name, and names what could not be answered [workflow.by-name] [workflow.run-dead]", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in(".agents"));
    const mock = "backend: mock\nprompt: { system: Answer. }\n";
    writeFileSync(folder.in(".agents/ann.yaml"), `name: ann\n${mock}`);
    writeFileSync(folder.in("gone.yaml"), "- steps:\n    - fail: permanent\n      message: The line is dead.\n");
    writeFileSync(folder.in(".agents/bob.yaml"), `name: bob\nmodel: gone.yaml\n${mock}`);
    const run = (...args: string[]) =>
      execute(process.execPath, [launcher, "run", ...args], {
        cwd: folder.path,
        env: { PATH: process.env.PATH, HOME: folder.path },
      });

    const { stdout } = await run("ann", "how are you?");
    expect(stdout).toMatch(/^user +how are you\?\nann +\S/);
    await expect(run("bob", "hello?")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/dlv_\w+: The line is dead\./) as string,
    });
    await expect(run("ann")).rejects.toMatchObject({ code: 2 });
    await expect(run("nobody", "hello")).rejects.toMatchObject({ code: 3 });
  });
});
