import { expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { startInstalled } from "../../support/daemon/running-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

const last = (out: string): unknown => JSON.parse(out.trim().split("\n").at(-1) ?? "null");

it("an answer that the model cut off at its length limit is incomplete [outcome.incomplete]", async () => {
  await using model = await startFakeModelServer(() => ({ text: "It begins well, and", finish: "length" }));
  await using daemon = await startCommandedDaemon({
    files: {
      ".agents/writer.yaml": `name: writer\nmodel: fake-model\nprovider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }\nprompt: { system: Write. }\n`,
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
  const { exit, out } = await daemon.run(["serve", "writer", "please", "--json"]);
  expect({ exit, ...(last(out) as object) }).toMatchObject({
    exit: 1,
    outcome: "incomplete",
    content: expect.stringMatching(/^It begins well, and\n\n\[The model's answer was cut here/),
    incomplete: [{ agent: "writer", reason: expect.stringContaining("max_tokens") }],
  });
});

it("messages whose senders wait have runs of their own after a restart, too [outcome.own-answer]", async () => {
  const files = {
    ...agentFile("echo", "model: echo.yaml\n"),
    "echo.yaml":
      '- when: hold\n  steps:\n    - delay: 15s\n    - say: held\n- repeat: true\n  steps:\n    - say: "about {{ message }}"\n',
  };
  await using first = await startTestDaemon({ files });
  const where = { cwd: first.project, env: first.env };
  await first.client.call("send-message", { to: "echo", message: "hold" });
  await using one = startInstalled(["serve", "echo", "first"], where);
  await using two = startInstalled(["send", "echo", "second", "--wait"], where);
  await expect
    .poll(
      async () => {
        const listed = await first.client.call("list-deliveries", { target: "echo" });
        return listed.ok ? listed.value.deliveries.length : 0;
      },
      { timeout: 15_000 },
    )
    .toBe(3);
  await first.stop("SIGKILL");
  await Promise.all([one.ended, two.ended]);
  await using second = await first.restart();
  const messages = async (): Promise<string[]> => {
    const seen = await second.client.call("peek-channel", { target: "echo" });
    return seen.ok ? seen.value.messages.map(({ content }) => content) : [];
  };
  await expect.poll(messages, { timeout: 60_000 }).toEqual(expect.arrayContaining(["about first", "about second"]));
});

it("the 64 hops of a team that hands on for ever end as incomplete, and go on [outcome.limit]", async () => {
  const names = ["one", "two", "three"];
  const agents = names.map((name, at) =>
    Object.assign(agentFile(name, `model: ${name}.yaml\n`), {
      [`${name}.yaml`]: `- repeat: true\n  steps:\n    - say: "@${names[(at + 1) % 3]} here is a longer piece of work that you have to go on with, please"\n`,
    }),
  );
  await using daemon = await startCommandedDaemon({
    files: Object.assign(
      {},
      ...agents,
      workflowFile(
        "ring",
        `agents: {${names.map((each) => ` ${each}: { ref: ${each} }`).join(",")} }\nkickoff: "@one go"\n`,
      ),
    ),
  });
  const ran = await daemon.run(["run", "ring", "--json"]);
  expect({ exit: ran.exit, ...(last(ran.out) as object) }).toMatchObject({ exit: 1, outcome: "incomplete" });
  const sent = await daemon.run(["send", "@ring", "please go on", "--wait", "--json"]);
  expect({ exit: sent.exit, ...(last(sent.out) as object) }).toMatchObject({ exit: 1, outcome: "incomplete" });
});
