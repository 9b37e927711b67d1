import { expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";

const workflow = (url: string): string =>
  [
    "agents:",
    "  nora:",
    "    model: fake-model",
    `    provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`,
    "    prompt: { system: Answer. }",
    "params: { n: { type: string } }",
    'kickoff: "@nora ${{ params.n }}"',
    "",
  ].join("\n");

it("breaks off the step of a stopped instance, which says nothing in the next one [instances.interrupted]", async () => {
  let released = (): void => {};
  const held = new Promise<void>((resolve) => (released = resolve));
  await using model = await startFakeModelServer(({ messages }) => {
    const text = JSON.stringify(messages);
    if (text.includes("slow")) {
      return { toolCalls: [{ name: "channel_send", args: { message: "too late" } }], after: held };
    }
    return { text: "quick answer" };
  });
  await using daemon = await startCommandedDaemon({
    env: { FAKE_KEY: "no-key" },
    files: { ".workflows/tw.yaml": workflow(model.url) },
  });
  expect(await daemon.run(["start", "tw", "--", "n=slow"])).toMatchObject({ exit: 0 });
  await model.received(1);
  expect(await daemon.run(["stop", "@tw"])).toMatchObject({ exit: 0 });
  expect(await daemon.run(["run", "tw", "--", "n=fast"])).toMatchObject({ exit: 0 });
  released();
  const said = async (earlier?: number) =>
    value(await daemon.client.call("peek-channel", { target: "@tw", earlier })).messages.map(({ content }) => content);
  expect(await said()).toEqual(["@nora fast", "quick answer"]);
  expect(await said(1)).toEqual(["@nora slow", "A new instance of the workspace began. 1 message was not answered."]);
});

it("goes on in the open instance after a restart of the daemon [instances.restart]", async () => {
  await using model = await startFakeModelServer(() => ({ text: "here" }));
  await using first = await startCommandedDaemon({
    env: { FAKE_KEY: "no-key" },
    files: { ".workflows/tw.yaml": workflow(model.url) },
  });
  for (const word of ["one", "two"]) {
    expect(await first.run(["start", "tw", "--", `n=${word}`])).toMatchObject({ exit: 0 });
    if (word === "one") expect(await first.run(["stop", "@tw"])).toMatchObject({ exit: 0 });
  }
  const saidBefore = async () =>
    value(await first.client.call("peek-channel", { target: "@tw" })).messages.map(({ content }) => content);
  await expect.poll(saidBefore, { timeout: 20_000 }).toEqual(["@nora two", "here"]);
  await first.stop("SIGKILL");
  await using daemon = await first.restart({ env: { FAKE_KEY: "no-key" } });
  value(await daemon.client.call("send-message", { to: "@tw", message: "@nora three" }));
  const said = async () =>
    value(await daemon.client.call("peek-channel", { target: "@tw" })).messages.map(({ content }) => content);
  await expect.poll(said, { timeout: 20_000 }).toEqual(["@nora two", "here", "@nora three", "here"]);
});
