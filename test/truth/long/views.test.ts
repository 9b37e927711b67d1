import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { definedAgent, says } from "../../support/team/defined-agent.ts";

let daemon: CommandedDaemon;

beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      "scripts/one.yaml": says("one"),
      "scripts/slow.yaml": "- repeat: true\n  steps: [{ delay: 10h }, { say: slow }]\n",
      ".agents/al.yaml": definedAgent("al", "one"),
      ".agents/lim.yaml": definedAgent("lim", "slow"),
    },
  });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const inProject = (path: string): string => join(daemon.project, path);
const eventually = (find: () => Promise<boolean>) => vi.waitUntil(find, { timeout: 20_000, interval: 100 });

describe("what an agent keeps", () => {
  it("[trouble.personal] a learned soul that cannot be read is shown by check, ls, status and doctor", async () => {
    daemon.write(".agents/pk.yaml", definedAgent("pk", "one"));
    daemon.write(".agents/pk/soul.yaml", "garbage: [");
    expect(await daemon.run(["check"])).toMatchObject({ exit: 2, err: /\.agents\/pk\/soul\.yaml:1/ });
    for (const command of ["ls", "status", "doctor"]) {
      const { out, err } = await daemon.run([command]);
      expect(`${command}: ${out}${err}`).toMatch(/\.agents\/pk\/soul\.yaml:1/);
    }
    const sent = await daemon.run(["send", "pk", "hello", "--wait"]);
    expect(sent).toMatchObject({
      exit: 0,
      err: /Note: \.agents\/pk\/soul\.yaml:1: .*cannot be used.*Correct the file/,
    });
    expect((await daemon.run(["send", "pk", "hello"])).out).toMatch(/Note: \.agents\/pk\/soul\.yaml:1/);
    rmSync(inProject(".agents/pk/soul.yaml"));
    expect((await daemon.run(["send", "pk", "hello"])).out).not.toContain("Note:");
    expect(await daemon.run(["check"])).toMatchObject({ exit: 0 });
  });

  it("[trouble.personal] a file where the context should be is shown by check, ls, status and doctor", async () => {
    daemon.write("ctxfile", "not a folder");
    daemon.write(".agents/cx.yaml", definedAgent("cx", "one", "context: { dir: ctxfile }\n"));
    expect(await daemon.run(["check"])).toMatchObject({ exit: 2, err: /ctxfile:1:1: .*not a folder/ });
    for (const command of ["ls", "status", "doctor"]) {
      const { out, err } = await daemon.run([command]);
      expect(`${command}: ${out}${err}`).toMatch(/ctxfile:1.*not a folder/);
    }
    rmSync(inProject(".agents/cx.yaml"));
  });

  it("[check.folders] what belongs to no agent is warned about as long as it does, and nobody is guessed", async () => {
    daemon.write(".agents/z.yaml", definedAgent("z", "one"));
    daemon.write(".agents/z/memory/MEMORY.md", "remembered\n");
    expect((await daemon.run(["check"])).err).toBe("");
    rmSync(inProject(".agents/z.yaml"));
    daemon.write(".agents/zoe.yaml", definedAgent("zoe", "one"));
    const before = await daemon.run(["check"]);
    expect(before).toMatchObject({ exit: 0, err: /remembered in \.agents\/z\/ belongs to no agent/ });
    expect(before.err).not.toContain('"zoe"');
    expect(await daemon.run(["send", "zoe", "hello", "--wait"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["check"])).err).toBe(before.err);
    daemon.write(".agents/z.yaml", definedAgent("zed", "one"));
    expect((await daemon.run(["check"])).err).toMatch(/If "zed" was called "z" before/);
    for (const path of [".agents/z", ".agents/z.yaml", ".agents/zoe.yaml", ".agents/zoe"])
      rmSync(inProject(path), { recursive: true });
  });
});

describe("a workspace", () => {
  it("[trouble.states] ls @workflow shows what an agent does that has another name there", async () => {
    daemon.write(".workflows/sl.yaml", "name: sl\nagents: { re: { ref: lim }, al: { ref: al } }\n");
    expect(await daemon.run(["start", "sl"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls", "@sl"])).out).toMatch(/re +project +- +idle/);
    expect(await daemon.run(["send", "@sl", "@re begin"])).toMatchObject({ exit: 0 });
    await eventually(async () => /re +project +- +running/.test((await daemon.run(["ls", "@sl"])).out));
    expect(await daemon.run(["stop", "@sl"])).toMatchObject({ exit: 0 });
  });

  it("[workspace.no-channel] start, ls and peek say where the answers are when there is no channel", async () => {
    daemon.write(".workflows/cf.yaml", "name: cf\nagents: { al: { ref: al } }\ncontext: false\nkickoff: '@al hello'\n");
    const started = await daemon.run(["start", "cf"]);
    expect(started).toMatchObject({ exit: 0, out: /direct messages \(al\).*peek al --follow/ });
    expect(started.out).not.toContain("peek @cf");
    expect((await daemon.run(["ls", "@cf"])).err).toMatch(/direct messages \(al\)/);
    expect((await daemon.run(["peek", "@cf"])).err).toMatch(/direct messages \(al\)/);
    await eventually(async () => (await daemon.run(["peek", "al"])).out.includes("one"));
    await daemon.run(["stop", "@cf"]);
  });

  it("[outcome.strangers] run, serve and start say that a typed message names somebody who is not here", async () => {
    daemon.write(".workflows/st.yaml", "name: st\nagents: { al: { ref: al } }\nkickoff: '@al hello'\n");
    for (const command of ["run", "serve", "start"]) {
      const { exit, err } = await daemon.run([command, "st", "@nosuch please"]);
      expect(`${command}: ${err}`).toContain("Nobody here is called @nosuch. Here are: al.");
      expect(exit).toBe(0);
    }
    await daemon.run(["stop", "@st"]);
    daemon.write(".workflows/nk.yaml", "name: nk\nagents: { al: { ref: al } }\n");
    const nobody = await daemon.run(["run", "nk", "@nosuch please"]);
    expect(nobody).toMatchObject({ exit: 1, err: /Nobody here is called @nosuch/ });
  });

  it("[hints.removed] a removed agent is not said to exist in the workspaces it took part in", async () => {
    daemon.write(".agents/gone.yaml", definedAgent("gone", "one"));
    daemon.write(".workflows/gw.yaml", "name: gw\nagents: { gone: { ref: gone }, al: { ref: al } }\n");
    expect(await daemon.run(["start", "gw"])).toMatchObject({ exit: 0 });
    rmSync(inProject(".agents/gone.yaml"));
    for (const args of [
      ["send", "gone", "hi"],
      ["peek", "gone"],
      ["run", "gone", "hi"],
    ]) {
      const { exit, err } = await daemon.run(args);
      expect(`${args.join(" ")}: ${err}`).toMatch(
        /no agent called "gone"[\s\S]*definition was removed, also for gone@gw/,
      );
      expect(err).not.toContain("exists in workspaces only");
      expect(exit).toBe(3);
    }
    await daemon.run(["stop", "@gw"]);
    rmSync(inProject(".workflows/gw.yaml"));
  });

  it("[hints.sentences] one earlier start is one start", async () => {
    daemon.write(".workflows/tw.yaml", "name: tw\nagents: { al: { ref: al } }\n");
    for (let start = 0; start < 2; start += 1) {
      expect(await daemon.run(["start", "tw"])).toMatchObject({ exit: 0 });
      await daemon.run(["stop", "@tw"]);
    }
    expect((await daemon.run(["peek", "@tw", "--earlier", "2"])).err).toContain("The oldest is one start ago.");
  });
});

describe("files of the project", () => {
  it("[hints.sentences] a prompt file that is a link is refused in whole sentences", async () => {
    writeFileSync(inProject("real.md"), "You are real.");
    symlinkSync("real.md", inProject("link.md"));
    daemon.write(".agents/ln.yaml", "name: ln\nbackend: mock\nprompt: { system_file: link.md }\n");
    const { err } = await daemon.run(["send", "ln", "hi", "--wait"]);
    expect(err).toMatch(/symbolic link\. Replace the link by a real file or folder\./);
    rmSync(inProject(".agents/ln.yaml"));
  });

  it("[hints.sentences] an empty folder is no skill, and the hint names the option", async () => {
    daemon.write("skills/sk/SKILL.md", "---\nname: sk\ndescription: Does it.\n---\nDo it.\n");
    mkdirSync(inProject(".agents/skills/sk"), { recursive: true });
    expect(await daemon.run(["skill", "add", "./skills/sk"])).toMatchObject({ exit: 0, out: /Added sk: Does it\./ });
    expect(await daemon.run(["skill", "add", "./skills/sk"])).toMatchObject({ exit: 3, err: /--replace/ });
    expect((await daemon.run(["skill", "list"])).out).toContain("sk (project");
    daemon.write(".agents/skills/half/notes.md", "begun");
    daemon.write("skills/half/SKILL.md", "---\nname: half\ndescription: Half.\n---\nHalf.\n");
    const half = await daemon.run(["skill", "add", "./skills/half"]);
    expect(half).toMatchObject({ exit: 3, err: /a folder \.agents\/skills\/half, without SKILL\.md, already/ });
  });
});
