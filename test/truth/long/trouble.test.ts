import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { hasTerminals, startInTerminal } from "../../support/daemon/terminal-command.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";

const first = Promise.withResolvers<void>();
const second = Promise.withResolvers<void>();
let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  const usage = { input: 1_000, output: 200 };
  model = await startFakeModelServer([
    { text: ["I look ", "at it."], toolCalls: [{ name: "todo_list", args: {} }], usage, endsAfter: first.promise },
    { text: "Done.", usage, after: second.promise },
  ]);
  const provider = `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  daemon = await startCommandedDaemon({
    files: {
      "moniro.yaml": 'prices: { "*/slow": { input: 1, output: 2 } }\n',
      ".agents/writer.yaml": `name: writer\nmodel: slow\n${provider}\nprompt: { system: You write. }\n`,
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

describe.skipIf(!hasTerminals)("run on a terminal", () => {
  it("[trouble.stream] shows who works, how long, tokens and cost while nothing is said, and removes it", async () => {
    const env = { ...daemon.env, NO_COLOR: "1" };
    const running = startInTerminal(["run", "writer", "write"], { cwd: daemon.project, env });
    await expect.poll(() => running.shown(), { timeout: 20_000 }).toMatch(/I look at it\.\s+writer works, \d+ s/);
    first.resolve();
    await expect
      .poll(() => running.shown(), { timeout: 20_000 })
      .toMatch(/writer works, \d+ s, 1,200 tokens so far, \$0\.0014/);
    second.resolve();
    const { exit, shown } = await running.ended;
    expect(exit).toBe(0);
    // oxlint-disable-next-line no-control-regex -- escape sequences are what it is about.
    const left = shown.replaceAll("\r\n", "\n").replace(/[^\n]*\r\u001b\[K/g, "");
    expect(left).toMatch(
      /^user +write\nwriter +I look at it\.\nwriter +todo_list\nwriter +Done\.\n\nAnswered in [\d.]+ s\. 2,400 tokens, \$0\.0028 estimated\. writer\.\n/,
    );
  });
});
