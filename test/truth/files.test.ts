import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";

const COMMAND = join(import.meta.dirname, "../../bin/agent-worker.js");
const BYTES = Buffer.concat([Buffer.from([0, 255, 254, 13, 10, 0]), randomBytes(300_000)]);

describe("what is too long or no text", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    daemon = await startCommandedDaemon({
      files: { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" },
    });
    writeFileSync(join(daemon.project, "picture.png"), BYTES);
    writeFileSync(join(daemon.project, "long.txt"), "a line of text\n".repeat(150_000));
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());

  /** The bytes that the command writes into a pipe. */
  const shown = (id: string): Buffer =>
    spawnSync(process.execPath, [COMMAND, "resource", "show", id], {
      cwd: daemon.project,
      env: { ...process.env, ...daemon.env },
      maxBuffer: 20_000_000,
    }).stdout;

  const resourceIn = async (): Promise<string> => {
    const { messages } = (await daemon.json(["peek", "alice", "-n", "50"])) as { messages: { content: string }[] };
    const ids = messages.flatMap(({ content }) => /^\[resource:(res_\w+)\] /m.exec(content)?.[1] ?? []);
    return ids.at(-1) ?? "";
  };

  it("a file of bytes is sent, and comes back with the same bytes [once.bytes]", async () => {
    const sent = await daemon.run(["send", "alice", "What is this?", "--file", "picture.png"]);
    expect(sent).toMatchObject({ exit: 0, err: "" });
    const id = await resourceIn();
    expect(shown(id).equals(BYTES)).toBe(true);
    expect(await daemon.json(["resource", "show", id])).toMatchObject({
      type: "image/png",
      encoding: "base64",
      bytes: BYTES.length,
    });
  });

  it("a message of 2 MB says the limit and the way, and the way works [once.limits]", async () => {
    const text = "a line of text\n".repeat(150_000);
    const refused = await daemon.run(["send", "alice", "-"], { input: text });
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toContain("longer than 1,048,576 characters");
    expect(refused.err).toContain("agent-worker send TARGET --file PATH");
    expect(await daemon.run(["send", "alice", "--file", "long.txt"])).toMatchObject({ exit: 0, err: "" });
    expect(shown(await resourceIn()).toString()).toBe(text);
  });

  it("standard input that is no text is refused, not changed [once.bytes]", async () => {
    const refused = spawnSync(process.execPath, [COMMAND, "send", "alice", "-"], {
      cwd: daemon.project,
      env: { ...process.env, ...daemon.env },
      input: BYTES,
      encoding: "utf8",
    });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("--file PATH");
  });
});
