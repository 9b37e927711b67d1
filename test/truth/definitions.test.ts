import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { definedAgent, says } from "../support/team/defined-agent.ts";

let daemon: CommandedDaemon;

beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      "scripts/one.yaml": says("one"),
      "scripts/two.yaml": says("two"),
      "scripts/slow.yaml": "- repeat: true\n  steps: [{ delay: 300ms }, { say: slow }]\n",
      ".agents/other.yaml": definedAgent("other", "one"),
    },
  });
});
afterAll(() => daemon[Symbol.asyncDispose]());

function untilTrue<T>(find: () => Promise<T>) {
  return vi.waitUntil(find, { timeout: 15_000, interval: 25 });
}

async function ask(agent: string): Promise<string> {
  const answer = await daemon.client.serve({ agent, message: "Hello" });
  return answer.ok ? answer.value.content : answer.error.message;
}

async function deadOf(agent: string) {
  const listed = await daemon.client.call("list-dead-letters", {});
  return listed.ok ? listed.value.deliveries.filter((each) => each.agent === agent) : [];
}

async function saidIn(space: string): Promise<readonly string[]> {
  const page = await daemon.client.call("peek-channel", { target: space, limit: 100 });
  return page.ok ? page.value.messages.map(({ from, content }) => `${from}: ${content}`) : [];
}

async function send(to: string, message = "Hello"): Promise<void> {
  expect(await daemon.client.call("send-message", { to, message })).toMatchObject({ ok: true });
}

async function startWorkflow(workflow: string, tag?: string): Promise<void> {
  expect(await daemon.client.serve({ workflow, tag, until: "started" })).toMatchObject({ ok: true });
}

describe("an agent's file", () => {
  it("[definitions.next-run] an edited file counts for the very next message, without a command in between", async () => {
    daemon.write(".agents/ann.yaml", definedAgent("ann", "one"));
    expect(await daemon.run(["send", "ann", "Hello", "--wait"])).toMatchObject({ exit: 0, out: /one/ });
    for (const version of ["two", "one", "two"]) {
      daemon.write(".agents/ann.yaml", definedAgent("ann", version));
      expect(await ask("ann")).toBe(version);
    }
  });

  it("[definitions.removed] an agent whose file was removed gets no further run, and what waited for it can be retried", async () => {
    daemon.write(".agents/gus.yaml", definedAgent("gus", "slow"));
    await send("gus");
    await untilTrue(async () => (await daemon.client.health()).projects[0]?.running === 1);
    await send("gus", "second");
    rmSync(join(daemon.project, ".agents/gus.yaml"));
    await untilTrue(async () => (await deadOf("gus")).length === 1);
    expect((await saidIn("gus")).filter((line) => line === "gus: slow")).toHaveLength(1);
    const [letter] = await deadOf("gus");
    expect(letter?.reason).toContain("gus");
    expect(letter?.reason).toContain("removed");
    expect(await daemon.client.call("send-message", { to: "gus", message: "again" })).toMatchObject({ ok: false });
    daemon.write(".agents/gus.yaml", definedAgent("gus", "two"));
    expect(await daemon.run(["dead", "retry", letter?.id ?? ""])).toMatchObject({ exit: 0 });
    await untilTrue(async () => (await saidIn("gus")).includes("gus: two"));
  });

  it("[definitions.broken] while a file is broken its messages wait, everything says where, and mending it is enough", async () => {
    daemon.write(".agents/bea.yaml", definedAgent("bea", "one"));
    expect(await ask("bea")).toBe("one");
    daemon.write(".agents/bea.yaml", "name: bea\nbackend: mock\nprompt: {\n");
    const sent = await daemon.run(["send", "bea", "Are you there?"]);
    expect(sent).toMatchObject({ exit: 0 });
    expect(sent.out).toMatch(/\.agents\/bea\.yaml:\d/);
    const inbox = await daemon.run(["inbox", "bea"]);
    expect(inbox.out).toContain("Are you there?");
    expect(inbox.out + inbox.err).toMatch(/\.agents\/bea\.yaml:\d/);
    expect(await deadOf("bea")).toEqual([]);
    const { out, err } = await daemon.run(["ls"]);
    expect(out).toMatch(/bea +\S* *broken/);
    expect(err).toMatch(/\.agents\/bea\.yaml:\d/);
    daemon.write(".agents/bea.yaml", definedAgent("bea", "two"));
    await untilTrue(async () => (await saidIn("bea")).includes("bea: two"));
  });

  it("[definitions.in-progress] a run keeps the definition it began with, and runs show says that it changed meanwhile", async () => {
    daemon.write(".agents/kim.yaml", definedAgent("kim", "slow"));
    await send("kim");
    const run = await untilTrue(async () => {
      const listed = await daemon.client.call("list-runs", { target: "kim" });
      return listed.ok ? listed.value.runs[0]?.id : undefined;
    });
    daemon.write(".agents/kim.yaml", definedAgent("kim", "two"));
    const shown = await daemon.run(["runs", "show", run]);
    expect(shown.out).toMatch(/defined by \.agents\/kim\.yaml/);
    expect(shown.out).toMatch(/changed .*keeps what it began with|changed since/);
    await untilTrue(async () => (await saidIn("kim")).includes("kim: slow"));
    expect(await ask("kim")).toBe("two");
  });
});

describe("a workspace that is open", () => {
  it("[definitions.members] its members are those of the files now: changed, added and removed", async () => {
    daemon.write(".agents/pat.yaml", definedAgent("pat", "one"));
    daemon.write(
      ".workflows/crew.yaml",
      "agents:\n  pat: { ref: pat }\n  old: { backend: mock, prompt: { system: x } }\n",
    );
    await startWorkflow("crew");
    await send("pat@crew");
    await untilTrue(async () => (await saidIn("@crew")).includes("pat: one"));

    daemon.write(".agents/pat.yaml", definedAgent("pat", "two"));
    await send("pat@crew");
    await untilTrue(async () => (await saidIn("@crew")).includes("pat: two"));

    daemon.write(
      ".workflows/crew.yaml",
      "agents:\n  pat: { ref: pat }\n  eve: { backend: mock, model: scripts/two.yaml, prompt: { system: x } }\n",
    );
    await send("@crew", "@eve welcome");
    await untilTrue(async () => (await saidIn("@crew")).includes("eve: two"));
    expect((await daemon.run(["send", "old@crew", "Hello"])).exit).toBe(3);
    const { out } = await daemon.run(["ls", "@crew"]);
    expect(out).toMatch(/^pat /m);
    expect(out).toMatch(/^eve /m);
    expect(out).not.toMatch(/^old /m);
  });

  it("[definitions.document-owner] its documents belong to whom the file names now, until a person decides otherwise", async () => {
    const crew = (owner: string): string =>
      `workspace: { documentOwner: ${owner} }\nagents:\n  one: { backend: mock, prompt: { system: x } }\n  two: { backend: mock, prompt: { system: x } }\n`;
    const owner = async (): Promise<string | null> => {
      const shown = await daemon.client.call("show-workspace", { target: "@paper" });
      return shown.ok ? shown.value.documentOwner : null;
    };
    daemon.write(".workflows/paper.yaml", crew("one"));
    await startWorkflow("paper");
    expect(await owner()).toBe("one");
    daemon.write(".workflows/paper.yaml", crew("two"));
    await untilTrue(async () => (await owner()) === "two");
    await daemon.client.call("set-document-owner", { target: "@paper", owner: "one" });
    daemon.write(".workflows/paper.yaml", `${crew("two")}# changed\n`);
    await daemon.run(["ls"]);
    expect(await owner()).toBe("one");
  });

  it("[definitions.one-loop] an agent under another name is the same agent: it never does two things at once", async () => {
    daemon.write(".agents/sam.yaml", definedAgent("sam", "slow"));
    daemon.write(".workflows/dual.yaml", "agents:\n  reviewer: { ref: sam }\n");
    await startWorkflow("dual");
    await send("sam");
    await send("reviewer@dual");
    await untilTrue(async () => (await saidIn("@dual")).includes("reviewer: slow"));
    await untilTrue(async () => (await saidIn("sam")).includes("sam: slow"));
    const listed = await daemon.client.call("list-runs", { target: "sam" });
    const runs = listed.ok ? listed.value.runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)) : [];
    expect(runs.map(({ agent }) => agent).toSorted()).toEqual(["reviewer", "sam"]);
    expect(Date.parse(runs[1]?.startedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(runs[0]?.endedAt ?? ""));
  });
});

describe("a schedule in a file", () => {
  const schedules = async (): Promise<readonly string[]> => {
    const listed = await daemon.client.call("list-schedules", {});
    return listed.ok ? listed.value.schedules.map(({ target }) => target) : [];
  };

  it("[definitions.schedules] it begins when it is written, ends when it is deleted, and goes with its agent", async () => {
    daemon.write(".agents/tim.yaml", definedAgent("tim", "one", "schedule: { wakeup: 1h }\n"));
    await untilTrue(async () => (await schedules()).includes("tim"));
    daemon.write(".agents/tim.yaml", definedAgent("tim", "one"));
    await untilTrue(async () => !(await schedules()).includes("tim"));
    daemon.write(".agents/tim.yaml", definedAgent("tim", "one", "schedule: { wakeup: 1h }\n"));
    await untilTrue(async () => (await schedules()).includes("tim"));
    rmSync(join(daemon.project, ".agents/tim.yaml"));
    await untilTrue(async () => !(await schedules()).includes("tim"));
    expect(await schedules()).not.toContain("tim");
  });
});

describe("run with a path", () => {
  const inline = (version: string): string =>
    `name: plain\nkickoff: "@bot go"\nagents:\n  bot: { backend: mock, model: scripts/${version}.yaml, prompt: { system: x } }\n`;
  const contentOf = async (workflow: string): Promise<string> => {
    const answer = await daemon.client.serve({ workflow });
    return answer.ok ? answer.value.content : answer.error.message;
  };

  it("[definitions.path] the file is read each time and never stands in for the project's workflow", async () => {
    const path = join(daemon.project, "elsewhere/plain.yaml");
    daemon.write(".workflows/plain.yaml", inline("one"));
    daemon.write("elsewhere/plain.yaml", inline("two"));
    expect(await contentOf(path)).toBe("two");
    expect(await contentOf("plain")).toBe("one");
    rmSync(join(daemon.project, ".workflows/plain.yaml"));
    expect(await contentOf("plain")).toContain("no workflow");
    daemon.write("elsewhere/plain.yaml", inline("one"));
    expect(await contentOf(path)).toBe("one");
    rmSync(path);
    expect(await contentOf(path)).not.toBe("one");
  });
});
