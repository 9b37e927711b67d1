import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { eventually } from "../support/team/running-project.ts";

/** Writes its process id, waits until a file is there, and writes that it went on. */
const works = (name: string): string =>
  `- repeat: true
  steps:
    - call: { tool: bash, args: { command: "echo $$ > ${name}.began; n=0; while [ ! -e ${name}.go ] && [ $n -lt 400 ]; do sleep 0.05; n=$((n+1)); done; echo done > ${name}.ended" } }
    - say: finished
`;
const HOST = "backend: mock\ntools: [bash]\npermissions: { mode: host, allow: [bash] }\nprompt: { system: Work. }\n";

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      "scripts/bob.yaml": works("bob"),
      "scripts/ann.yaml": works("ann"),
      "scripts/slow.yaml": "- repeat: true\n  steps: [{ delay: 1h }, { say: late }]\n",
      ".agents/bob.yaml": `name: bob\nmodel: scripts/bob.yaml\n${HOST}`,
      ".agents/ann.yaml": `name: ann\nmodel: scripts/ann.yaml\n${HOST}`,
      ".agents/sleeper.yaml": "name: sleeper\nbackend: mock\nmodel: scripts/slow.yaml\nprompt: { system: Sleep. }\n",
      ".agents/other.yaml": "name: other\nbackend: mock\nprompt: { system: Be. }\n",
      ".workflows/desk.yaml": 'agents: { worker: { ref: bob } }\nkickoff: "@worker go"\n',
    },
  });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const inProject = (file: string): string => join(daemon.project, file);
const runsOf = async (target: string) => {
  const listed = await daemon.client.call("list-runs", { target });
  return listed.ok ? listed.value.runs : [];
};

describe("stop @WORKSPACE", () => {
  it("[starts.stopped-work] ends what its agents are doing: no command goes on, nothing is posted, no run is answered", async () => {
    expect(await daemon.run(["start", "desk"])).toMatchObject({ exit: 0 });
    await eventually("the command runs", () => existsSync(inProject("bob.began")));
    const pid = readFileSync(inProject("bob.began"), "utf8").trim();
    expect(await daemon.run(["stop", "@desk"])).toMatchObject({ exit: 0 });
    daemon.write("bob.go", "");
    await eventually("the command is gone", () => !existsSync(`/proc/${pid}`));
    expect(existsSync(inProject("bob.ended"))).toBe(false);
    await eventually("the run is put aside", async () =>
      (await runsOf("@desk")).every(({ state }) => state !== "open"),
    );
    expect((await runsOf("@desk")).map(({ outcome }) => outcome)).toEqual([null]);
    expect((await runsOf("bob")).filter(({ space }) => space === "bob")).toEqual([]);
    // What the stopped workspace holds is no work of now, under whatever name the agent has there.
    expect((await daemon.run(["ls"])).out).toMatch(/^bob +file +idle +0\/0\/0/m);
    expect((await daemon.run(["status"])).out).toMatch(/ 0 +0 +0 +0$/m);
    const held = await daemon.run(["inbox", "worker@desk"]);
    expect(held.err).toContain("agent-worker start desk --continue");

    expect(await daemon.run(["start", "desk", "--continue"])).toMatchObject({ exit: 0 });
    await eventually("it goes on", () => existsSync(inProject("bob.ended")));
    await eventually("and answers", async () => (await daemon.run(["peek", "@desk"])).out.includes("finished"));
  });
});

describe("stop AGENT", () => {
  it("[starts.stopped-agent] holds until something new comes for the agent: an edited file is nothing new", async () => {
    await daemon.client.call("send-message", { to: "ann", message: "go" });
    await eventually("the command runs", () => existsSync(inProject("ann.began")));
    expect(await daemon.run(["stop", "ann"])).toMatchObject({ exit: 0 });
    daemon.write("ann.go", "");
    daemon.write(".agents/other.yaml", "name: other\nbackend: mock\nprompt: { system: Be another. }\n");
    daemon.write(".agents/ann.yaml", `name: ann\nmodel: scripts/ann.yaml\nsoul: { role: worker }\n${HOST}`);
    const now = new Date();
    utimesSync(inProject(".agents/ann.yaml"), now, now);
    expect(await daemon.run(["ls"])).toMatchObject({ exit: 0 });
    expect(await daemon.run(["send", "other", "hello", "--wait"])).toMatchObject({ exit: 0 });
    expect(existsSync(inProject("ann.ended"))).toBe(false);
    expect((await runsOf("ann")).map(({ outcome }) => outcome)).toEqual([null]);
    expect((await daemon.run(["ls"])).out).toMatch(/^ann +file +stopped/m);

    const shown = (await daemon.json(["runs", "list", "ann"])) as { runs: { waitsFor: string; reason: string }[] };
    expect(shown.runs).toMatchObject([{ waitsFor: "message", reason: "A person stopped it." }]);
    expect((await daemon.run(["status"])).out).toContain('agent-worker send ann "go on"');

    await daemon.client.call("send-message", { to: "ann", message: "and again" });
    await eventually("it goes on", () => existsSync(inProject("ann.ended")));
  });

  it("[starts.stopped-agent] says that what it stopped waits, and how to drop it: then only the next message is answered", async () => {
    await daemon.client.call("send-message", { to: "sleeper", message: "the stopped one" });
    await eventually("it works", async () => (await runsOf("sleeper")).some(({ state }) => state === "open"));
    expect(await daemon.run(["inbox", "sleeper", "--drop"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("agent-worker stop sleeper"),
    });
    const stopped = await daemon.run(["stop", "sleeper"]);
    expect(stopped.out).toBe(
      "Stopped sleeper. 1 message still waits for it: with the next one it goes on with it, too.\nDrop it with: agent-worker inbox sleeper --drop\n",
    );
    expect(await daemon.run(["inbox", "sleeper", "--drop"])).toMatchObject({
      exit: 0,
      out: "Dropped: 1 message. What was said stays in the channel.\n",
    });
    expect((await daemon.run(["inbox", "sleeper"])).out).toBe("Nothing waits for sleeper.\n");
    daemon.write("scripts/slow.yaml", "- repeat: true\n  steps: [{ say: hello }]\n");
    expect(await daemon.run(["send", "sleeper", "the next one", "--wait"])).toMatchObject({ exit: 0 });
    expect((await runsOf("sleeper")).map(({ outcome }) => outcome)).toEqual(["answered", "stopped"]);
  });

  it("[starts.stopped-agent] is said by ls, also when nothing waits for the agent", async () => {
    expect(await daemon.run(["stop", "other"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls"])).out).toContain("other was stopped by a person.");
    expect(await daemon.run(["send", "other", "hello", "--wait"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls"])).out).not.toContain("was stopped by a person");
  });
});
