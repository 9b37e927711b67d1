import { describe, expect, it } from "vitest";
import { startInstalled } from "../support/daemon/running-command.ts";
import { count, expectShown, fail, imageProject, lastRun } from "../support/team/image-project.ts";

describe("an image", { timeout: 120_000 }, () => {
  it("that is sent is shown to the model in every call, once; the store holds its bytes once [engine.images]", async () => {
    expect.hasAssertions();
    await expectShown("anthropic");
  });

  it("that a model refuses is named to it instead [engine.images]", async () => {
    const { model, run } = await imageProject("openai-chat", (request) =>
      count("image_url", request) > 0
        ? { status: 400, error: { type: "invalid_request_error", message: "This model does not support image input." } }
        : { text: "I cannot see it." },
    );
    const sent = await run(["send", "eye", "What is it?", "--file", "picture.png", "--wait"]);
    expect(sent).toMatchObject({ exit: 0, out: expect.stringContaining("I cannot see it.") });
    expect(model.requests).toHaveLength(2);
    expect(count("(an image that this model cannot show: [resource:res_", model.requests[1] ?? fail())).toBe(1);
  });

  it("for an agent whose engine shows none is named to it, and the person is told [engine.images] [terminal.input]", async () => {
    const { folder, env, run } = await imageProject("anthropic", []);
    await using chat = startInstalled(["chat", "blind", "--plain"], { cwd: folder.path, env, input: "pipe" });
    await chat.line(/^In blind:$/);
    chat.type("look at @picture.png please\n");
    await chat.line(/^Sent with picture\.png \(image\/png, 70 bytes\)\.$/);
    await chat.line(/^blind does not see the image: the engine mock shows none\. It gets the name only\.$/);
    await chat.line(/\[resource:\w+\] picture\.png \(image\/png, 70 bytes\)\.$/);
    await chat.line(/I read it\./);
    chat.type("/quit\n");
    expect((await chat.ended).exit).toBe(0);
    const prompt = await run(["runs", "show", await lastRun(run), "--prompt"]);
    expect(prompt.out).toMatch(
      /<images>\n\[resource:res_\w+\] image\/png, 70 bytes: an image that this engine cannot show\n<\/images>/,
    );
  });

  it("is what its bytes are, not what it is called [engine.images]", async () => {
    const { run } = await imageProject("anthropic", []);
    const refused = await run(["send", "blind", "--file", "text.png"]);
    expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining("text.png is not an image") });
    await run(["send", "blind", "--file", "picture.txt"]);
    expect((await run(["peek", "blind"])).out).toContain("picture.txt (image/png, 70 bytes)");
    const called = await run([
      "call",
      "create-resource",
      JSON.stringify({ target: "blind", type: "image/png", encoding: "base64", content: "aGVsbG8=" }),
    ]);
    expect(called.exit).not.toBe(0);
    expect(called.err).toContain("its bytes are no image of a known type");
  });
});
