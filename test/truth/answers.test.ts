import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { FakeReply } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { value } from "../support/result.ts";
import { agentOn, MODEL_ENV } from "../support/security/scripted-model.ts";

const REPLIES: Readonly<Record<string, FakeReply>> = {
  long: { text: "The first of many", finish: "length" },
  filtered: { text: "", finish: "content-filter" },
  writer: { toolCalls: [{ name: "write_file", args: { path: "REVIEW.md", content: "All is well here." } }] },
};

describe("what a model could not say, and what a tool did not keep", () => {
  let model: FakeModelServer;
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    model = await startFakeModelServer(({ system, messages }) => {
      const name = /You are (\w+)\./.exec(system)?.[1] ?? "";
      return JSON.stringify(messages).includes("tool_result") ? { text: "Done." } : (REPLIES[name] ?? { text: "Hm." });
    });
    daemon = await startCommandedDaemon({
      env: { ...MODEL_ENV },
      files: Object.fromEntries(Object.keys(REPLIES).map((name) => [`.agents/${name}.yaml`, agentOn(model, name)])),
    });
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
});
