import { describe, expect, it } from "vitest";
import { endOf, failureOf, openSession, stepOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success } from "../../../src/testing/recording-tools.ts";
import { startAcpRig, type AcpRig } from "../../support/engine/acp-rig.ts";
import type { AcpMove } from "../../support/engine/stand-in-acp-agent.ts";
import { recordingApprovals } from "../../support/team/approvals.ts";

const tools = () => recordingTools({ look: () => success("fine") });
const step = async (rig: AcpRig, spec: Parameters<typeof openSession>[2] = {}, prompt = "Go.") => {
  await using session = await openSession(rig, tools(), spec);
  return await stepOf(session, 1, prompt);
};
const askedFor = (rig: AcpRig, method: string) => rig.asked().filter((one) => one.method === method);

describe("acp engine", () => {
  it("puts the system prompt in front of the first prompt, 300 KB of it all [engine.system-prompt] [engine.long-prompt]", async () => {
    await using rig = startAcpRig([{ say: "One." }, { say: "Two." }]);
    await using session = await openSession(rig, tools(), { system: "You are Alice." });
    const prompt = `${"word ".repeat(60_000)}END`;
    await stepOf(session, 1, prompt);
    await stepOf(session, 2, "And now?");
    expect(askedFor(rig, "session/prompt").map(({ params }) => params)).toEqual([
      {
        sessionId: "session-new",
        prompt: [{ type: "text", text: `<instructions>\nYou are Alice.\n</instructions>\n\n${prompt}` }],
      },
      { sessionId: "session-new", prompt: [{ type: "text", text: "And now?" }] },
    ]);
  });

  it("counts what the turn cost, not what the session did", async () => {
    await using rig = startAcpRig([{ say: "One." }, { say: "Two." }]);
    await using session = await openSession(rig, tools());
    expect(endOf(await stepOf(session, 1, "Go.")).usage.cost).toEqual({ basis: "reported", usd: 0.25 });
    expect(endOf(await stepOf(session, 2, "Go.")).usage.cost).toEqual({ basis: "reported", usd: 0 });
  });

  it.each([
    [{ resume: true, load: true }, "session/resume"],
    [{ load: true }, "session/load"],
  ])("goes on with a session where the agent can, and hears no history: %j [engine.resume]", async (traits, method) => {
    await using rig = startAcpRig([{ say: "Still here." }], { traits });
    const before = endOf(await step(startAcpRig([{ say: "One." }]))).transcript.replace("session-new", "session-old");
    const events = await step(rig, { previous: async () => before }, "And now?");
    expect(rig.asked().map((one) => one.method)).toEqual([method, "session/prompt"]);
    expect(askedFor(rig, "session/prompt")[0]?.params).toMatchObject({ prompt: [{ text: "And now?" }] });
    expect(endOf(events).text).toBe("Still here.");
    expect(JSON.stringify(events)).not.toContain("long ago");
    expect(endOf(events).usage.cost).toEqual({ basis: "unknown" });
  });

  it("begins anew when the session is not known any more, with the whole prompt [engine.resume]", async () => {
    await using rig = startAcpRig([{ say: "Hello." }], { traits: { resume: true } });
    const before = endOf(await step(startAcpRig([{ say: "One." }]))).transcript.replace("session-new", "session-lost");
    await step(rig, { previous: async () => before }, "And now?");
    expect(rig.asked().map((one) => one.method)).toEqual(["session/resume", "session/new", "session/prompt"]);
    expect(JSON.stringify(askedFor(rig, "session/prompt"))).toContain("<instructions>");
  });

  it("hands the team's tools to an agent that takes no addresses through the bridge", async () => {
    const bridge = ({ url, token }: { url: string; token: string }) => ({
      command: "bridge",
      args: ["mcp"],
      env: { AT: url, TOKEN: token },
    });
    await using rig = startAcpRig([{ say: "Hi." }], { traits: { http: false }, bridge });
    await step(rig);
    expect(askedFor(rig, "session/new")[0]?.params).toMatchObject({
      mcpServers: [
        { name: "agent-worker", command: "bridge", args: ["mcp"], env: [{ name: "AT" }, { name: "TOKEN" }] },
      ],
    });
    await using without = startAcpRig([], { traits: { http: false } });
    expect(await failureOf(() => step(without))).toMatchObject({ class: "permanent" });
  });

  it("gives the agent's own servers in its own words", async () => {
    const mcpServers = { files: { command: "serve", args: ["-a"], env: { KEY: "v" } }, web: { url: "http://x/mcp" } };
    await using rig = startAcpRig([{ say: "Hi." }], { agent: { mcpServers } });
    await step(rig);
    expect(askedFor(rig, "session/new")[0]?.params).toMatchObject({
      mcpServers: [
        {
          name: "files",
          command: "sh",
          args: ["-c", expect.stringMatching(/^unset .*AGENT_WORKER_TOKEN.*; exec "\$@"$/), "sh", "serve", "-a"],
          env: [{ name: "KEY", value: "v" }],
        },
        { type: "http", name: "web", url: "http://x/mcp", headers: [] },
        { type: "http", name: "agent-worker", headers: [{ name: "Authorization" }] },
      ],
    });
  });

  it("chooses the model where the session offers it, and says what there is otherwise [engine.model-names]", async () => {
    const models = ["fast", "anthropic/opus"];
    await using rig = startAcpRig([{ say: "Hi." }], { traits: { models }, agent: { model: "anthropic:opus" } });
    await step(rig);
    expect(askedFor(rig, "session/set_config_option")[0]?.params).toMatchObject({
      configId: "m",
      value: "anthropic/opus",
    });
    await using unknown = startAcpRig([], { traits: { models }, agent: { model: "opus-9" } });
    expect(await failureOf(() => step(unknown))).toMatchObject({
      class: "permanent",
      message: expect.stringContaining("It has: fast, anthropic/opus"),
    });
    await using none = startAcpRig([], { agent: { model: "opus" } });
    expect(await failureOf(() => step(none))).toMatchObject({ class: "permanent" });
  });

  it.each<[string, AcpMove, string, RegExp]>([
    ["a refusal", { stop: "refusal" }, "permanent", /refused/],
    ["too many model calls", { stop: "max_turn_requests" }, "permanent", /used up/],
    ["a turn cancelled by nobody", { stop: "cancelled" }, "crash", /cancelled/],
    ["an end in the middle", { die: 3 }, "crash", /ended with code 3/],
    ["a message without end", { garbage: true }, "crash", /cannot be understood|was killed|ended/],
    [
      "a login that is missing",
      { answerError: { code: -32_000, message: "Authentication required" } },
      "permanent",
      /stand-in login/,
    ],
    [
      "a limit",
      { answerError: { code: -32_603, message: "Internal error", data: { details: "429 slow down" } } },
      "transient",
      /429 slow down/,
    ],
    [
      "money",
      { answerError: { code: -32_603, message: "Internal error", data: "usage limit reached" } },
      "quota",
      /usage limit/,
    ],
    ["bad parameters", { answerError: { code: -32_602, message: "Invalid params" } }, "permanent", /Invalid params/],
  ])("tells what went wrong: %s [engine.error-result] [engine.stream-damage]", async (_name, move, kind, message) => {
    await using rig = startAcpRig([move]);
    expect(await failureOf(() => step(rig))).toMatchObject({ class: kind, message: expect.stringMatching(message) });
    expect(await rig.left?.()).toBe(0);
  });

  it("says how to log in, and that another version is spoken, when it is opened", async () => {
    await using login = startAcpRig([], { traits: { needsLogin: true } });
    expect(await failureOf(() => step(login))).toMatchObject({
      class: "permanent",
      message: expect.stringContaining("Run `stand-in login`"),
    });
    await using newer = startAcpRig([], { traits: { version: 9 } });
    expect(await failureOf(() => step(newer))).toMatchObject({ class: "permanent" });
    await using nothing = startAcpRig([], { agent: { command: [] } });
    expect(await failureOf(() => step(nothing))).toMatchObject({ message: expect.stringContaining("command: [") });
    expect((await login.left?.()) ?? 1).toBe(0);
  });

  it("ends an agent that never introduces itself, or falls silent [engine.timeouts]", async () => {
    await using mute = startAcpRig([], {
      agent: { command: [process.execPath, "-e", "setInterval(() => {}, 1000)"] },
      timeouts: { startMs: 300 },
    });
    expect(await failureOf(() => step(mute))).toMatchObject({
      class: "crash",
      message: expect.stringContaining("said nothing within 0.3 s"),
    });
    await using silent = startAcpRig([{ hang: true }], { timeouts: { startMs: 20_000, idleMs: 20_000 } });
    const stop = new AbortController();
    await using session = await openSession(silent, tools());
    const hanging = failureOf(() => stepOf(session, 1, "Go.", stop.signal));
    while (askedFor(silent, "session/prompt").length === 0) await new Promise((done) => setTimeout(done, 10));
    stop.abort(new Error("enough"));
    expect(await hanging).toMatchObject({ message: "enough" });
    expect(askedFor(silent, "session/cancel")).toHaveLength(1);
  });

  it("passes over what is no message, and none of the daemon's secrets on [engine.env-allow-list]", async () => {
    await using rig = startAcpRig([{ say: "Hi." }], { agent: { env: { STAND_IN_CHATTER: "1" } } });
    expect(endOf(await step(rig)).text).toBe("Hi.");
    const script = "process.exit(process.env.DAEMON_SECRET === undefined ? 7 : 8)";
    await using env = startAcpRig([], { agent: { command: [process.execPath, "-e", script] } });
    expect(await failureOf(() => step(env))).toMatchObject({ message: expect.stringContaining("ended with code 7") });
  });

  const ask = (kind: "execute" | "edit" | "read", input: unknown, title = "tool"): AcpMove => ({
    ask: { kind, title, input },
  });

  it("allows what a rule allows, once, and refuses what one denies with a reason", async () => {
    await using rig = startAcpRig(
      [
        ask("execute", { command: "git status" }),
        ask("execute", { command: "git status; rm -rf ." }),
        ask("edit", { path: "src/a.ts" }),
        ask("read", { path: "README.md" }),
        { say: "Done." },
      ],
      { agent: { permissions: { mode: "virtual", allow: ["bash(git *)"] } } },
    );
    const events = await step(rig);
    expect(askedFor(rig, "answered").map(({ params }) => (params as { optionId: string }).optionId)).toEqual([
      "yes",
      "no",
      "no",
      "yes",
    ]);
    const results = events.filter((event) => event.type === "tool-result");
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true, false]);
    expect(results[1]?.content).toContain("Not allowed: bash(git status; rm -rf .)");
  });

  it.each([
    ["goes on with its session", { resume: true }, "session-old"],
    ["is told all of it again when it cannot", {}, "session-new"],
  ])("waits for a person, and %s [approval.asked] [approval.approve]", async (_name, traits, session) => {
    const make = ask("execute", { command: "make", description: "again" });
    await using rig = startAcpRig([make, { hang: true }, make, { say: "Made." }], { traits });
    const approvals = recordingApprovals();
    const waiting = await step(rig, { approvals }, "Please make it.");
    expect(waiting.map(({ type }) => type)).toEqual(["tool-call", "end"]);
    expect(endOf(waiting)).toMatchObject({ finished: false, text: "", waitsFor: "apr_1" });
    expect(approvals.asked).toMatchObject([{ tool: "bash", args: { command: "make" } }]);
    expect(askedFor(rig, "session/cancel")).toHaveLength(1);
    expect(askedFor(rig, "answered")[0]?.params).toEqual({ outcome: "cancelled" });

    approvals.decide({ approved: true });
    const transcript = endOf(waiting).transcript.replace("session-new", "session-old");
    await using again = await openSession(rig, tools(), { approvals, transcript });
    const events = await stepOf(again, 2, null);
    expect(endOf(events)).toMatchObject({ finished: true, text: "Made.", waitsFor: null });
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({ isError: false });
    const [, told] = askedFor(rig, "session/prompt").map(({ params }) => params);
    expect(told).toMatchObject({ sessionId: session });
    expect(JSON.stringify(told)).toContain("approved the call you were stopped at");
    expect(JSON.stringify(told).includes("Please make it.")).toBe(session === "session-new");
    expect(approvals.asked).toHaveLength(1);
  });

  it("is told why a person refused, also when the agent answers its end with an error [approval.deny]", async () => {
    const make = ask("execute", { command: "make" });
    const error: AcpMove = { answerError: { code: -32_603, message: "Internal error: aborted" } };
    await using rig = startAcpRig([make, error, make, { say: "Then not." }]);
    const approvals = recordingApprovals();
    await using session = await openSession(rig, tools(), { approvals });
    expect(endOf(await stepOf(session, 1, "Please make it."))).toMatchObject({ waitsFor: "apr_1" });
    approvals.decide({ approved: false, reason: "Not on Fridays." });
    const events = await stepOf(session, 2, null);
    expect(JSON.stringify(askedFor(rig, "session/prompt").at(-1))).toContain("Not on Fridays.");
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({
      content: "A person refused this call: Not on Fridays.",
      isError: true,
    });
    expect(endOf(events)).toMatchObject({ finished: true, text: "Then not." });
  });
});
