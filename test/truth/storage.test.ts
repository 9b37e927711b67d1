import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";

const FILES = {
  ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Answer. }\n",
};

describe("a database that is taken away under a running daemon", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    daemon = await startCommandedDaemon({ files: FILES });
  });
  afterAll(() => daemon[Symbol.asyncDispose]());
  const folder = () => join(daemon.project, ".workspace");
  const refused = { exit: 1, err: expect.stringContaining("agent-worker doctor --reopen") };

  it("nothing is accepted while it is away, and work goes on when it is back [retention.moved]", async () => {
    expect(await daemon.run(["send", "alice", "before"])).toMatchObject({ exit: 0 });
    renameSync(folder(), `${folder()}-away`);
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    renameSync(`${folder()}-away`, folder());
    expect(await daemon.run(["send", "alice", "after"])).toMatchObject({ exit: 0 });
    const { messages } = (await daemon.json(["peek", "alice"])) as { messages: { from: string; content: string }[] };
    expect(messages.filter(({ from }) => from === "user").map(({ content }) => content)).toEqual(["before", "after"]);
  });

  it("ls, status, doctor and health say that it is gone, and a person begins anew [retention.gone]", async () => {
    rmSync(folder(), { recursive: true });
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    expect((await daemon.run(["ls"])).err).toContain("was deleted or moved away");
    expect((await daemon.run(["status"])).out).toContain("was deleted or moved away");
    expect(await daemon.run(["doctor"])).toMatchObject({
      exit: 1,
      out: expect.stringContaining("was deleted or moved"),
    });
    expect(await (await daemon.fetch("/health")).json()).toMatchObject({ status: "degraded" });

    const reopened = await daemon.run(["doctor", "--reopen"]);
    expect(reopened.out).toContain("begins with an empty database");
    expect(await daemon.run(["send", "alice", "anew"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls"])).err).toBe("");
    expect(await daemon.run(["doctor", "--reopen"])).toMatchObject({
      out: expect.stringContaining("nothing to reopen"),
    });
  });

  it("a restart says that it begins with an empty database [retention.restart]", async () => {
    rmSync(folder(), { recursive: true });
    await daemon.stop();
    await using next = await daemon.restart();
    const run = (args: readonly string[]) => runInstalled(args, { cwd: next.project, env: next.env });
    expect((await run(["ls"])).err).toContain("The one it had is gone");
    expect((await run(["status"])).out).toContain("begins with an empty database");
    expect(await run(["send", "alice", "anew"])).toMatchObject({ exit: 0 });
  });
});
