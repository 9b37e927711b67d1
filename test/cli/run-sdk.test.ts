import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";

it("runs a team of two models: each asked with its prompt and tools, handing on through the channel [engine.sdk]", async () => {
  await using model = await startFakeModelServer((request) => {
    const asked = JSON.stringify(request.messages);
    if (request.system?.includes("You are the writer") !== true) return { text: "All good. Done." };
    if (asked.includes("tool_result") || asked.includes('"role":"tool"')) return { text: "" };
    return { toolCalls: [{ name: "channel_send", args: { message: "@editor the draft is ready" } }] };
  });
  await using daemon = await startCommandedDaemon({
    files: {
      ".agents/writer.yaml": agent("writer", "You are the writer.", model.url),
      ".agents/editor.yaml": agent("editor", "You are the editor.", model.url),
      ".workflows/draft.yaml":
        'name: draft\nagents:\n  writer: { ref: writer }\n  editor: { ref: editor }\nkickoff: "@writer write the draft"\n',
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
  const { exit, out, err } = await daemon.run(["run", "draft", "--json"]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });

  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; from?: string; content?: string; failed?: unknown[] });
  const said = events.filter(({ type }) => type === "message").map(({ from, content }) => [from, content]);
  expect(said).toEqual([
    ["user", "@writer write the draft"],
    ["writer", "@editor the draft is ready"],
    ["editor", "All good. Done."],
  ]);
  expect(events.at(-1)).toMatchObject({ type: "done", failed: [] });
  expect(model.requests.some(({ tools }) => JSON.stringify(tools).includes("channel_send"))).toBe(true);
});

function agent(name: string, system: string, url: string): string {
  return [
    `name: ${name}`,
    "model: fake-model",
    `provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`,
    `prompt: { system: "${system}" }`,
    "",
  ].join("\n");
}
