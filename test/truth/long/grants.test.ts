import { expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { RecordedRequest } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";

const env = { FAKE_KEY: "no-key" };
const files = (url: string, more = "") => ({
  ".workflows/tw.yaml": [
    "agents:",
    ...["nora", "ben"].flatMap((name) => [
      `  ${name}:`,
      "    model: fake-model",
      `    provider: { name: anthropic, base_url: "${url}/v1", api_key: $FAKE_KEY }`,
      "    prompt: { system: Answer. }",
      ...(name === "ben" ? [] : [more]),
    ]),
    "",
  ].join("\n"),
});
const said = async (daemon: CommandedDaemon): Promise<string[]> =>
  value(await daemon.client.call("peek-channel", { target: "@tw" })).messages.map(
    ({ kind, from, content }) => `${kind} ${from}: ${content}`,
  );
const toolsOf = (request: RecordedRequest | undefined): readonly string[] =>
  (request?.tools ?? []).map(({ name }) => name);
const RULE = { name: "tell", when: { on: "message" }, then: { propose: "send-message", data: { message: "hi" } } };

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

it("gives a tool to an agent while it works, and takes it back, in the order of the channel [grants.mid-run]", async () => {
  const granted = gate();
  const revoked = gate();
  await using model = await startFakeModelServer([
    { toolCalls: [{ name: "team_members", args: {} }], after: granted.opened },
    { toolCalls: [{ name: "rule_add", args: RULE }], after: revoked.opened },
    { text: "done" },
  ]);
  await using daemon = await startCommandedDaemon({ env, files: files(model.url) });
  expect(await daemon.run(["start", "tw"])).toMatchObject({ exit: 0 });
  expect(await daemon.run(["send", "@tw", "@nora begin"])).toMatchObject({ exit: 0 });
  await model.received(1);
  const grant = await daemon.run(["grant", "nora@tw", "rule_add", "--reason", "for the gate"]);
  expect(grant).toMatchObject({ exit: 0, out: "By grants nora has now in @tw: rule_add\n" });
  granted.open();
  await model.received(2);
  expect(await daemon.run(["revoke", "nora@tw", "rule_add"])).toMatchObject({ exit: 0 });
  revoked.open();
  await model.received(3);
  const [first, second, third] = model.requests;
  expect(toolsOf(first)).not.toContain("rule_add");
  expect(toolsOf(second)).toEqual([...toolsOf(first), "rule_add"]);
  expect(toolsOf(third)).toEqual(toolsOf(first));
  expect(JSON.stringify(third?.messages)).toContain("rule_add was not done: it was revoked.");
  await expect
    .poll(() => said(daemon), { timeout: 20_000 })
    .toEqual([
      "message user: @nora begin",
      "grant user: nora may use rule_add.\nfor the gate",
      "revoke user: nora may no longer use rule_add.",
      "message nora: done",
    ]);
  expect(value(await daemon.client.call("list-rules", { target: "@tw" })).rules).toEqual([]);
});

it("holds after a kill and a restart, and when the instance goes on; a new instance begins without it [grants.restart]", async () => {
  await using model = await startFakeModelServer(() => ({ text: "here" }));
  await using first = await startCommandedDaemon({ env, files: files(model.url) });
  expect(await first.run(["start", "tw"])).toMatchObject({ exit: 0 });
  expect(await first.run(["grant", "nora@tw", "rule_add"])).toMatchObject({ exit: 0 });
  await first.stop("SIGKILL");
  await using daemon = await first.restart({ env });
  const ask = async (count: number): Promise<readonly string[]> => {
    value(await daemon.client.call("send-message", { to: "@tw", message: "@nora again" }));
    await model.received(count);
    return toolsOf(model.requests[count - 1]);
  };
  expect(await ask(1)).toContain("rule_add");
  const ls = value(await daemon.client.call("list-members", { target: "@tw" }));
  expect(ls.members[0]).toMatchObject({ agent: "nora", grants: [{ tool: "rule_add", handOn: false, by: "user" }] });

  const run = async (...args: string[]) => expect(await first.run(args), args.join(" ")).toMatchObject({ exit: 0 });
  await run("stop", "@tw");
  await run("start", "tw", "--continue");
  expect(await ask(2)).toContain("rule_add");
  await run("stop", "@tw");
  await run("start", "tw");
  expect(await ask(3)).not.toContain("rule_add");
  expect(value(await daemon.client.call("list-grants", { target: "@tw" })).grants).toEqual([]);
});

it("lets an agent hand on what it may, and no more; deny wins over every grant [grants.hand-on]", async () => {
  const script = (request: RecordedRequest) => {
    const text = JSON.stringify(request.messages);
    const isNora = text.includes("hand it on to ben");
    if (isNora && !text.includes("tool_use"))
      return {
        toolCalls: [
          { name: "grant", args: { agent: "ben", tools: ["rule_add"], reason: "@ben go on" } },
          { name: "grant", args: { agent: "ben", tools: ["rule_list"] } },
        ],
      };
    return { text: isNora ? "handed on" : "thanks" };
  };
  await using model = await startFakeModelServer(script);
  await using daemon = await startCommandedDaemon({
    env,
    files: files(model.url, "    permissions: { deny: [proposal_create] }"),
  });
  const run = async (...args: string[]) => expect(await daemon.run(args), args.join(" ")).toMatchObject({ exit: 0 });
  await run("start", "tw");
  expect(await daemon.run(["grant", "nora@tw", "proposal_create"])).toMatchObject({ exit: 3 });
  expect(await daemon.run(["grant", "nora@tw", "bash"])).toMatchObject({ exit: 3 });
  await run("grant", "nora@tw", "rule_add", "--hand-on");
  await run("send", "@tw", "@nora hand it on to ben");
  await model.received(3);
  const text = JSON.stringify(model.requests.map(({ messages }) => messages));
  expect(text).toContain("nora may not hand on rule_list.");
  await expect.poll(async () => (await said(daemon)).some((line) => line.startsWith("message ben"))).toBe(true);
  expect(await said(daemon)).toContain("grant nora: ben may use rule_add.\n@ben go on");
  const withRule = model.requests.filter((request) => toolsOf(request).includes("rule_add"));
  expect(withRule.length).toBeGreaterThanOrEqual(2);
  const revoked = await daemon.run(["revoke", "nora@tw", "rule_add"]);
  expect(revoked).toMatchObject({ exit: 0, out: "By grants nora has now in @tw: nothing\nben lost it too.\n" });
});
