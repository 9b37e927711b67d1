import { expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply, RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import type { TestDaemon } from "../../support/daemon/daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";

const env = { FAKE_KEY: "no-key" };
const files = (url: string, more = "") => ({
  ".workflows/tw.yaml": [
    "agents:",
    ...["nora", "ben", "cleo"].flatMap((name) => [
      `  ${name}:`,
      "    model: fake-model",
      `    provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`,
      `    prompt: { system: I am ${name}. }`,
      ...(name === "nora" ? ["    tools: [channel_send, space_open]"] : []),
    ]),
    'kickoff: "@nora begin"',
    more,
    "",
  ].join("\n"),
});
const said = async (daemon: TestDaemon, target: string): Promise<string[]> =>
  value(await daemon.client.call("peek-channel", { target })).messages.map(
    ({ from, content }) => `${from}: ${content}`,
  );

/** Nora opens a space with ben, who answers there; then she closes it. */
function script(benWaits: Promise<unknown> = Promise.resolve()) {
  return ({ system, messages }: RecordedRequest): FakeReply => {
    const text = JSON.stringify(messages);
    if (system.includes("I am ben")) return { text: "@nora it is drawn", after: benWaits };
    if (text.includes("tool_use")) return { text: text.includes("space_close") ? "closed it" : "ben draws" };
    if (text.includes("it is drawn"))
      return { toolCalls: [{ name: "space_close", args: { space: "design", outcome: "It is drawn." } }] };
    const open = { name: "design", members: ["ben"], purpose: "Draw it." };
    return { toolCalls: [{ name: "space_open", args: open }] };
  };
}

const WHOLE = [
  "user: @nora begin",
  "system: nora opened the space @tw/design with ben. Read it with: agent-worker peek @tw/design",
  "nora: ben draws",
  "nora: Closed the space @tw/design: It is drawn.\nRead it with: agent-worker peek @tw/design",
];

it("agents work in a space of their own, and the run lasts until it is done there too [spaces.run]", async () => {
  await using model = await startFakeModelServer(script());
  await using daemon = await startCommandedDaemon({ env, files: files(model.url) });
  const ran = await daemon.run(["run", "tw"]);
  expect(ran).toMatchObject({
    exit: 0,
    err: "",
    out: expect.stringContaining("Closed the space @tw/design: It is drawn."),
  });
  expect(await said(daemon, "@tw")).toEqual(WHOLE);
  const peeked = await daemon.run(["peek", "@tw/design"]);
  expect(peeked.out).toContain("Draw it.");
  expect(peeked.out).toContain("it is drawn");
  const listed = await daemon.run(["ls", "@tw"]);
  expect(listed.out).toMatch(/@tw\/design\s+closed\s+nora ben\s+Draw it\./);
  const ofBen = model.requests.filter(({ system }) => system.includes("I am ben"));
  expect(ofBen).toHaveLength(1);
  expect(JSON.stringify(ofBen[0])).toContain("tw/design");
  const { usage } = { usage: value(await daemon.client.call("show-usage", { target: "@tw" })) };
  expect(JSON.stringify(usage)).not.toContain("@tw:main/design");
});

it("a space goes on after a kill of the daemon [spaces.restart]", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using model = await startFakeModelServer(script(promise));
  await using first = await startCommandedDaemon({ env, files: files(model.url) });
  expect(await first.run(["start", "tw"])).toMatchObject({ exit: 0 });
  await expect
    .poll(() => model.requests.some(({ system }) => system.includes("I am ben")), { timeout: 20_000 })
    .toBe(true);
  await first.stop("SIGKILL");
  resolve();
  await using daemon = await first.restart({ env });
  await expect
    .poll(async () => (await said(daemon, "@tw")).at(-1), { timeout: 30_000 })
    .toContain("Closed the space @tw/design: It is drawn.");
  expect((await said(daemon, "@tw/design"))[0]).toBe("nora: Draw it.");
  expect((await said(daemon, "@tw/design")).filter((line) => line === "ben: @nora it is drawn")).toHaveLength(1);
});

it("what is used in a space counts for the budget of its workflow, in memory too [spaces.workflow-budget]", async () => {
  await using model = await startFakeModelServer(script());
  const more = "workspace: { provider: memory }\nbudget: { turns: 2 }";
  await using daemon = await startCommandedDaemon({ env, files: files(model.url, more) });
  const ran = await daemon.run(["run", "tw"]);
  expect(ran).toMatchObject({ exit: 1 });
  expect(model.requests.filter(({ system }) => system.includes("I am ben"))).toHaveLength(1);
  expect((await said(daemon, "@tw/design")).at(-1)).toContain("The budget of @tw is used up: 2 turns");
});

it("stopping the workspace stops the work in its spaces [spaces.stop]", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using model = await startFakeModelServer(script(promise));
  await using daemon = await startCommandedDaemon({ env, files: files(model.url) });
  const run = async (...args: string[]) => expect(await daemon.run(args), args.join(" ")).toMatchObject({ exit: 0 });
  await run("start", "tw");
  await expect
    .poll(() => model.requests.some(({ system }) => system.includes("I am ben")), { timeout: 20_000 })
    .toBe(true);
  await run("stop", "@tw");
  await run("start", "tw");
  resolve();
  await expect.poll(() => said(daemon, "@tw/design~1"), { timeout: 20_000 }).toContain("nora: Draw it.");
  expect(await said(daemon, "@tw/design~1")).not.toContain("ben: @nora it is drawn");
  await expect.poll(async () => (await said(daemon, "@tw")).length, { timeout: 30_000 }).toBe(4);
  expect(await said(daemon, "@tw")).toEqual(WHOLE);
});

it("a person opens, lists and closes a space from the command line [spaces.cli]", async () => {
  await using model = await startFakeModelServer(() => ({ text: "noted" }));
  await using daemon = await startCommandedDaemon({
    env,
    files: {
      ...files(model.url),
      ".workflows/quiet.yaml": files(model.url)[".workflows/tw.yaml"].replace(/kickoff.*/, ""),
    },
  });
  const run = async (...args: string[]) => {
    const ran = await daemon.run(args);
    expect(ran, args.join(" ")).toMatchObject({ exit: 0 });
    return ran.out;
  };
  await run("start", "quiet");
  await run(
    "call",
    "open-space",
    JSON.stringify({ target: "@quiet", name: "plan", members: ["ben"], purpose: "Plan it." }),
  );
  await expect.poll(() => said(daemon, "@quiet/plan"), { timeout: 20_000 }).toEqual(["user: Plan it.", "ben: noted"]);
  await run("send", "ben@quiet/plan", "go on");
  await expect.poll(async () => (await said(daemon, "@quiet/plan")).length, { timeout: 20_000 }).toBe(4);
  expect(await run("ls", "@quiet")).toMatch(/@quiet\/plan\s+open\s+ben\s+Plan it\./);
  expect(await run("stop", "@quiet/plan", "--reason", "It is planned.")).toBe("Closed the space @quiet/plan.\n");
  expect((await said(daemon, "@quiet")).at(-1)).toContain("user: Closed the space @quiet/plan: It is planned.");
  expect(await daemon.run(["send", "@quiet/plan", "late"])).toMatchObject({
    exit: 3,
    err: expect.stringContaining("There is no open space"),
  });
});
