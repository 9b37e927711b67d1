import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";

const PROGRAM = '#!/bin/sh\ncase "$1" in --version) echo "opencode 1.18.2";; *) echo "1 credentials";; esac\n';

describe("agent-worker init", () => {
  it("[cli.init] makes an agent and a workflow that pass the check, on the scripted engine where nothing else is", async () => {
    using folder = commandFolder();
    mkdirSync(folder.in("team"));
    const env = { PATH: "/nowhere" };
    const { exit, out, err } = await folder.run(["init"], { cwd: "team", env });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("made  .agents/alice.yaml\n");
    expect(out).toContain("made  .workflows/hello.yaml\n");
    expect(out).toContain("No engine with a model was found.");
    expect(out).toMatch(/Next:\n {2}agent-worker run hello\n/);
    const agent = readFileSync(folder.in("team/.agents/alice.yaml"), "utf8");
    expect(agent).toMatch(/^# yaml-language-server: \$schema=\.schema\/agent\.json\n/);
    expect(agent).toMatch(/^backend: mock$/m);
    expect(existsSync(folder.in("team/.agents/.schema/agent.json"))).toBe(true);
    expect(readFileSync(folder.in("team/.gitignore"), "utf8")).toBe(".workspace/\n");
    expect(await folder.run(["check"], { cwd: "team" })).toEqual({
      exit: 0,
      out: expect.stringMatching(/^1 agent, 1 workflow, 0 problems\n$/),
      err: "",
    });
  });

  it("[cli.init] [engine.available] names the engines it finds, and uses one", async () => {
    using folder = commandFolder({ "bin/opencode": PROGRAM });
    chmodSync(folder.in("bin/opencode"), 0o755);
    const env = { PATH: `${folder.in("bin")}:/bin:/usr/bin` };
    const found: unknown = JSON.parse((await folder.run(["init", "a", "--json"], { env })).out);
    expect(found).toMatchObject({ engine: "opencode", usable: expect.arrayContaining(["opencode", "mock"]) });
    expect(readFileSync(folder.in("a/.agents/alice.yaml"), "utf8")).toMatch(/^backend: opencode$/m);

    const key = { PATH: "/nowhere", ANTHROPIC_API_KEY: "sk-test-not-a-key" };
    const keyed = await folder.run(["init", "b", "--json"], { env: key });
    expect(keyed.out).not.toContain("sk-test");
    expect(JSON.parse(keyed.out)).toMatchObject({ engine: "sdk" });
    expect(readFileSync(folder.in("b/.agents/alice.yaml"), "utf8")).toMatch(/^model: auto$/m);

    await folder.run(["init", "--project", "c", "-b", "mock"], { env });
    expect(readFileSync(folder.in("c/.agents/alice.yaml"), "utf8")).toMatch(/^backend: mock$/m);
  });

  it("[cli.init] [begin.missing] says what the chosen engine lacks, and the command that gets it comes first", async () => {
    using folder = commandFolder();
    const env = { PATH: "/nowhere" };
    const nothing = await folder.run(["init", "a", "--yes"], { env });
    expect(nothing.out).toContain("a key: agent-worker login anthropic");
    expect(nothing.out).toContain('"backend: mock" in .agents/alice.yaml and .workflows/hello.yaml.');
    const keyless = await folder.run(["init", "b", "--yes", "--model", "openai/gpt-5.6"], { env });
    expect(keyless.out).toContain("It cannot answer yet. There is no key of openai yet.\n");
    expect(keyless.out).toMatch(/Next:\n {2}cd b\n {2}agent-worker login openai\n {2}agent-worker run hello\n/);
    const groq = await folder.run(["init", "c", "--yes", "--model", "groq/auto"], { env });
    expect(groq.out).toMatch(/Next:\n {2}cd c\n {2}agent-worker providers add groq\n/);
    const program = await folder.run(["init", "d", "--yes", "--backend", "claude"], { env });
    expect(program.out).toMatch(/claude is not installed\.\nNext:\n {2}cd d\n {2}npm install -g @anthropic-ai/);
    const ready = await folder.run(["init", "e", "--yes", "--model", "openai/auto"], {
      env: { ...env, OPENAI_API_KEY: "sk-test-0123456789" },
    });
    expect(ready.out).not.toContain("cannot answer yet");
    expect(ready.out).toMatch(/Next:\n {2}cd e\n {2}agent-worker run hello\n/);
  });

  it.each([
    ["wrong/x", 'There is no provider "wrong"'],
    ["opus", "names no provider"],
    ["two words", "is not a model"],
  ])("[cli.init] [begin.missing] refuses the model %s by what was typed, and makes nothing", async (model, why) => {
    using folder = commandFolder();
    const { exit, err } = await folder.run(["init", "a", "--yes", "--model", model], { env: { PATH: "/nowhere" } });
    expect(exit).toBe(2);
    expect(err).toContain(`Error: --model ${model}: `);
    expect(err).toContain(why);
    expect(existsSync(folder.in("a"))).toBe(false);
  });

  it("[cli.init] without a team, keeps the engine that was chosen for the agents that follow", async () => {
    using folder = commandFolder();
    const env = { PATH: `${join(process.execPath, "..")}:/bin:/usr/bin`, AGENT_WORKER_PORT: "0" };
    const engines = [
      ["--backend", "mock"],
      ["--model", "local", "--base-url", "http://127.0.0.1:9/v1"],
    ];
    try {
      for (const [at, engine] of engines.entries()) {
        const dir = `empty-${at}`;
        const { exit, out } = await folder.run(["init", dir, "--team", "empty", "--yes", ...engine], { env });
        expect(exit).toBe(0);
        expect(out).toContain('agent-worker agent create NAME --system "Who the agent is"\n');
        const created = await folder.run(["agent", "create", "ann", "--system", "Who the agent is"], { cwd: dir, env });
        expect(created).toMatchObject({ exit: 0, err: "" });
        expect(await folder.run(["check"], { cwd: dir, env })).toMatchObject({ exit: 0 });
      }
    } finally {
      await folder.run(["daemon", "stop"], { env });
    }
  });

  it("[cli.init] changes nothing that is there, however often it is called", async () => {
    using folder = commandFolder({
      "own/.agents/zoe.yaml": "name: zoe\nbackend: mock\nprompt: { system: Hello. }\n",
      "own/.gitignore": "node_modules\n.workspace/",
    });
    const env = { PATH: "/nowhere" };
    const answer: unknown = JSON.parse((await folder.run(["init", "own", "--json"], { env })).out);
    expect(answer).toMatchObject({ created: [], extended: [], kept: [".agents/zoe.yaml", ".gitignore"], engine: null });
    expect(existsSync(folder.in("own/.agents/alice.yaml"))).toBe(false);
    expect(readFileSync(folder.in("own/.gitignore"), "utf8")).toBe("node_modules\n.workspace/");

    await folder.run(["init", "new"], { env });
    writeFileSync(folder.in("new/.agents/alice.yaml"), "changed: by me\n");
    writeFileSync(folder.in("new/.gitignore"), "dist");
    expect(await folder.run(["init", "new"], { env })).toMatchObject({
      exit: 0,
      out: expect.stringContaining("added to  .gitignore"),
    });
    expect(readFileSync(folder.in("new/.agents/alice.yaml"), "utf8")).toBe("changed: by me\n");
    expect(readFileSync(folder.in("new/.gitignore"), "utf8")).toBe("dist\n.workspace/\n");
  });

  it("[cli.init] says that the team was left out where a project is, and nothing untrue about its engine", async () => {
    using folder = commandFolder();
    const env = { PATH: "/nowhere" };
    const args = ["init", "--team", "review", "--base-url", "http://127.0.0.1:1/v1", "--model", "fake-1", "--yes"];
    expect(await folder.run(args, { env })).toMatchObject({ exit: 0 });
    const again = await folder.run(args, { env });
    expect(again).toMatchObject({ exit: 0, err: "" });
    expect(again.out).toContain('The team "review" was not made: this project has agents or workflows');
    expect(again.out).toContain("agent-worker init NEW_FOLDER --team review\n");
    expect(again.out).not.toContain("No engine with a model was found");
    expect(JSON.parse((await folder.run([...args, "--json"], { env })).out)).toMatchObject({ leftOut: "review" });
    expect((await folder.run(["init"], { env })).out).not.toContain("was not made");
  });

  it("[cli.init] [cli.errors] asks before it makes a project inside another, and refuses what it cannot make", async () => {
    using folder = commandFolder({ "one/.workflows/w.yaml": "", "one/src/a.txt": "", file: "" });
    const env = { PATH: "/nowhere" };
    expect(await folder.run(["init"], { cwd: "one/src", env })).toEqual({
      exit: 3,
      out: "",
      err: expect.stringMatching(/belongs to the project in .*one\.\n.*agent-worker init \.\n$/),
    });
    expect(await folder.run(["init", "."], { cwd: "one/src", env })).toMatchObject({ exit: 0 });
    expect(await folder.run(["init", "file"], { env })).toMatchObject({
      exit: 3,
      err: expect.stringMatching(/file is a file, and a project is a folder\.\n/),
    });
    expect(await folder.run(["init", "file/below"], { env })).toMatchObject({
      exit: 1,
      err: expect.stringContaining("ENOTDIR"),
    });
    expect(await folder.run(["init", "x", "-b", "gpt"], { env })).toMatchObject({
      exit: 2,
      err: expect.stringContaining("it is one of claude, codex"),
    });
    expect(existsSync(folder.in("x"))).toBe(false);
  });
});
