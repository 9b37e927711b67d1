import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { count, expectShown, fail, imageProject, parts, PIXEL, WRITTEN } from "../../support/team/image-project.ts";

describe("an image", { timeout: 120_000 }, () => {
  it.each(["openai-responses", "openai-chat"] as const)(
    "that is sent is shown to the model in every call, once, as %s writes it [engine.images]",
    async (wire) => {
      expect.hasAssertions();
      await expectShown(wire);
    },
  );

  it("is shown again after the daemon was killed in the middle of a run [engine.images]", async () => {
    const { model, folder, run } = await imageProject("anthropic", (request) => {
      if (!JSON.stringify(request.messages).includes("tool_result")) {
        return { toolCalls: [{ name: "my_todos", args: {} }] };
      }
      return model.requests.length === 2 ? { silence: true } : { text: "Still one point." };
    });
    await run(["send", "eye", "--file", "picture.png"]);
    await model.received(2);
    const { pid } = JSON.parse(readFileSync(folder.in("home/daemon.json"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await run(["daemon", "start"]);
    await run(["ls"]);
    await model.received(3);
    expect(model.requests.map((request) => count(PIXEL, request))).toEqual([1, 1, 1]);
    expect(parts(model.requests[2] ?? fail())[1]).toMatchObject(WRITTEN.anthropic);
  });
});
