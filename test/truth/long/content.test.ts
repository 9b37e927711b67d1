import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";
import { agentOn, MODEL_ENV } from "../../support/security/scripted-model.ts";

const REPLIES: Readonly<Record<string, FakeReply>> = {
  long: { text: "The first of many", finish: "length" },
  filtered: { text: "", finish: "content-filter" },
  writer: { toolCalls: [{ name: "write_file", args: { path: "REVIEW.md", content: "All is well here." } }] },
};

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");
const BYTES = Buffer.concat([Buffer.from([0, 255, 254, 13, 10, 0]), randomBytes(300_000)]);

describe("what is cut, too long, no text, or not kept", () => {
  let model: FakeModelServer;
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    model = await startFakeModelServer(({ system, messages }) => {
      const name = /You are (\w+)\./.exec(system)?.[1] ?? "";
      return JSON.stringify(messages).includes("tool_result") ? { text: "Done." } : (REPLIES[name] ?? { text: "Hm." });
    });
    daemon = await startCommandedDaemon({
      env: { ...MODEL_ENV },
      files: {
        ...Object.fromEntries(Object.keys(REPLIES).map((name) => [`.agents/${name}.yaml`, agentOn(model, name)])),
        ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n",
        "long.txt": "a line of text\n".repeat(150_000),
      },
    });
    writeFileSync(join(daemon.project, "program.bin"), BYTES);
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  it.each([
    ["long", "The first of many\n\n[The model's answer was cut here", "was cut here"],
    ["filtered", "[The rest of the answer is missing: the provider's content filter withheld it.]", "content filter"],
  ])(
    "the answer of %s is marked as not whole, in the channel and in runs show [once.cut]",
    async (name, said, shown) => {
      const { content } = value(await daemon.client.serve({ agent: name, message: "go" }));
      expect(content).toContain(said);
      const { messages } = value(await daemon.client.call("peek-channel", { target: name }));
      expect(messages.map((message) => message.content).slice(1)).toEqual([content]);
      const { runs } = value(await daemon.client.call("list-runs", {}));
      const run = runs.find(({ agent }) => agent === name);
      expect(run).toMatchObject({ outcome: "incomplete" });
      const { out } = await daemon.run(["runs", "show", run?.id ?? ""]);
      expect(out).toContain("incomplete");
      expect(out).toContain(shown);
    },
  );

  it("write_file of the virtual shell says that the file is kept for this run only [once.virtual-write]", async () => {
    value(await daemon.client.serve({ agent: "writer", message: "go" }));
    const ofWriter = model.requests.filter(({ system }) => system.includes("You are writer."));
    const tool = ofWriter[0]?.tools.find(({ name }) => name === "write_file");
    expect(tool?.description).toContain("kept for this run only");
    expect(JSON.stringify(ofWriter.at(-1)?.messages)).toContain("Wrote 17 bytes to REVIEW.md, kept for this run only.");
    expect(existsSync(join(daemon.project, "REVIEW.md"))).toBe(false);
  });

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
    const sent = await daemon.run(["send", "alice", "What is this?", "--file", "program.bin"]);
    expect(sent).toMatchObject({ exit: 0, err: "" });
    const id = await resourceIn();
    expect(shown(id).equals(BYTES)).toBe(true);
    expect(await daemon.json(["resource", "show", id])).toMatchObject({
      type: "application/octet-stream",
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
