import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";

const agent = (name: string): string => `name: ${name}\nbackend: mock\nprompt: { system: You are ${name}. }\n`;

function writeIn(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const names = async (client: Client): Promise<string[]> =>
  value(await client.call("list-agents", {})).agents.map(({ name }) => name);

function openIn(folder: TemporaryFolder, projectDir?: string) {
  return openDaemon({
    trustsAll: true,
    home: folder.in("home"),
    env: {},
    ...(projectDir === undefined ? {} : { projectDir }),
  });
}
const clientIn = (folder: TemporaryFolder, project?: string) =>
  createClient({ home: folder.in("home"), ...(project === undefined ? {} : { project }) });

describe("the projects of a daemon", () => {
  it("each have their own agents and store, and are known by their real path [daemon.many-projects]", async () => {
    using folder = temporaryFolder();
    const one = writeIn(folder.in("one"), { ".agents/alice.yaml": agent("alice") });
    const two = writeIn(folder.in("zwei – 二 100%"), { ".agents/bob.yaml": agent("bob") });
    symlinkSync(two, folder.in("link"));
    await using _daemon = await openIn(folder, one);
    using first = await clientIn(folder);
    using second = await clientIn(folder, two);
    using linked = await clientIn(folder, folder.in("link"));
    expect(await names(first)).toEqual(["alice"]);
    expect(await names(second)).toEqual(["bob"]);
    value(await second.call("send-message", { to: "bob", message: "hello" }));
    expect(value(await linked.call("peek-channel", { target: "bob" })).messages[0]).toMatchObject({ content: "hello" });
    expect(await first.call("send-message", { to: "bob", message: "hello" })).toMatchObject({
      error: { code: "not_found" },
    });
    expect((await first.health()).projects.map(({ dir }) => dir)).toEqual([one, two]);
  });

  it("are opened once by many who ask at the same time", async () => {
    using folder = temporaryFolder();
    const dir = writeIn(folder.in("project"), { ".agents/alice.yaml": agent("alice") });
    await using _daemon = await openIn(folder);
    const clients = await Promise.all(Array.from({ length: 20 }, () => clientIn(folder, dir)));
    expect(new Set((await Promise.all(clients.map(names))).flat())).toEqual(new Set(["alice"]));
    const { projects, status } = await (await clientIn(folder)).health();
    expect(projects).toHaveLength(1);
    expect(status).toBe("ready");
    for (const client of clients) client[Symbol.dispose]();
  });

  it("must be folders that are there, named by their whole path", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("file"), "");
    await using _daemon = await openIn(folder);
    const answer = async (project?: string) => {
      using client = await clientIn(folder, project);
      return await client.call("list-agents", {});
    };
    expect(await answer(folder.in("nowhere"))).toMatchObject({
      error: { code: "not_found", message: expect.stringContaining("nowhere") },
    });
    expect(await answer(folder.in("file"))).toMatchObject({
      error: { code: "invalid", message: expect.stringContaining("not a folder") },
    });
    expect(await answer("some/where")).toMatchObject({
      error: { code: "invalid", message: expect.stringContaining("absolute") },
    });
    expect(await answer()).toMatchObject({
      error: { code: "invalid", message: expect.stringContaining("names none") },
    });
  });

  it("that are broken stop neither the daemon nor the others, and work once they are mended [daemon.bad-config]", async () => {
    using folder = temporaryFolder();
    const broken = writeIn(folder.in("broken"), { "moniro.yaml": "store: [", ".agents/alice.yaml": agent("alice") });
    const sound = writeIn(folder.in("sound"), { ".agents/bob.yaml": agent("bob"), ".agents/odd.yaml": "name: [" });
    await using _daemon = await openIn(folder, broken);
    using client = await clientIn(folder);
    using other = await clientIn(folder, sound);
    await expect(client.call("list-agents", {})).rejects.toMatchObject({
      code: "project_invalid",
      message: expect.stringContaining("moniro.yaml"),
    });
    expect(await names(other)).toEqual(["bob"]);
    const { status, problems } = await client.health();
    expect(status).toBe("degraded");
    expect(problems).toEqual([expect.stringContaining(`the project ${broken} could not be opened`)]);
    rmSync(join(broken, "moniro.yaml"));
    expect(await names(client)).toEqual(["alice"]);
    expect(await client.health()).toMatchObject({ status: "ready", problems: [] });
  });

  it("go on after a restart without being asked for, if they have something to do", async () => {
    using folder = temporaryFolder();
    const busy = writeIn(folder.in("busy"), {
      ".agents/alice.yaml": `${agent("alice")}model: scripts/alice.yaml\n`,
      "scripts/alice.yaml": "- repeat: true\n  steps:\n    - delay: 10m\n",
    });
    const quiet = writeIn(folder.in("quiet"), { ".agents/bob.yaml": agent("bob") });
    await using daemon = await startTestDaemon();
    using alice = await daemon.clientFor(busy);
    using bob = await daemon.clientFor(quiet);
    value(await alice.call("send-message", { to: "alice", message: "please" }));
    expect(await names(bob)).toEqual(["bob"]);
    expect(await daemon.stop()).toBe(0);
    writeIn(busy, { "scripts/alice.yaml": "- repeat: true\n  steps:\n    - say: done\n" });

    await using next = await daemon.restart();
    await eventually("alice has answered", async () => {
      const health = await next.client.health();
      const project = health.projects.find(({ dir }) => dir === busy);
      return project !== undefined && project.pending === 0 && project.running === 0;
    });
    expect((await next.client.health()).projects.map(({ dir }) => dir)).not.toContain(quiet);
    await next.stop("SIGKILL");
    rmSync(busy, { recursive: true });

    await using last = await next.restart();
    expect(await names(last.client)).toEqual([]);
    await eventually(
      "the daemon forgets a project that is gone",
      async () => (await last.client.health()).problems.length === 0,
    );
  });
});
