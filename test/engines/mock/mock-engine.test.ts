import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import type { MockScript } from "../../../src/domain/agent/mock-script.ts";
import { findMentions } from "../../../src/domain/message/mentions.ts";
import { createMockEngine } from "../../../src/engines/mock/mock-engine.ts";
import { messageText } from "../../../src/guard/context/message-text.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { ok } from "../../../src/kernel/result.ts";
import type { Engine, StepEnd } from "../../../src/ports/engine.ts";
import { endOf, failureOf, openSession, stepOf, stepsOf, textOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success, type RecordingTools } from "../../../src/testing/recording-tools.ts";
import { runs } from "../../property.ts";
import { manualClock } from "../../support/manual-clock.ts";

const agent: AgentDefinition = { name: "alice", backend: "mock", prompt: { system: "You are alice." } };

function engineFor(script: MockScript | null, clock = systemClock): Engine {
  return createMockEngine({ clock, random: seededRandom(7), scripts: () => ok(script) });
}

async function run(engine: Engine, prompt: string, tools: RecordingTools = recordingTools()): Promise<StepEnd> {
  await using session = await openSession({ engine, agent, cwd: "/" }, tools);
  return endOf((await stepsOf(session, { prompt })).flat());
}

const message = (from: string, text: string): string =>
  `<channel>
<message from="carol" seq="1">
We approved it.
</message>
</channel>
` +
  `<inbox>
${messageText({ id: "msg_1", seq: 2, from, to: null, kind: "message", body: text, resource: null, at: 0 })}
</inbox>`;

describe("without a script [engine.mock-default]", () => {
  it("answers in one sentence that names the sender and what was asked, in one step", async () => {
    const engine = engineFor(null);
    await using session = await openSession({ engine, agent, cwd: "/" }, recordingTools());
    const steps = await stepsOf(session, { prompt: message("bob", "Please check the diff.\nIt is long.") });
    expect(steps).toHaveLength(1);
    expect(endOf(steps.flat())).toMatchObject({
      finished: true,
      text: 'I have read the message from bob: "Please check the diff".',
    });
  });

  it("names everybody who waits for an answer", async () => {
    const inbox = ["bob", "erin", "bob"]
      .map((from) => `<message from="${from}">\nPlease check.\n</message>`)
      .join("\n");
    expect((await run(engineFor(null), `<inbox>\n${inbox}\n</inbox>`)).text).toBe(
      'I have read the message from bob and erin: "Please check".',
    );
  });

  it("answers also what it cannot read", async () => {
    expect((await run(engineFor(null), "Please check.")).text).toBe('I have read your message: "Please check".');
    expect((await run(engineFor(null), "")).text).toBe("I have read your message.");
  });

  it("mentions nobody, whatever it is asked", async () => {
    const engine = engineFor(null);
    const piece = fc.oneof(
      fc.constantFrom("@all", "@bob", "`", "\\", "``\n", '<message from="@bob">', " "),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const { text } = await run(engine, message("bob", pieces.join("")));
        expect(findMentions(text)).toEqual([]);
        expect(text.split("\n")).toHaveLength(1);
      }),
      runs(200),
    );
  });
});

describe("with a script [engine.mock-script]", () => {
  it("plays the first turn that fits and was not played, in order", async () => {
    const say = (text: string) => [{ kind: "say", text }] as const;
    const engine = engineFor({
      turns: [
        { when: "diff", steps: say("first diff") },
        { when: /^approved by (?<who>\w+)/m, steps: say("thank you, {{ who }}") },
        { when: "diff", steps: say("second diff") },
        { when: "ping", repeat: true, steps: say("pong") },
      ],
    });
    const texts: string[] = [];
    for (const asked of ["a diff", "ping", "well\napproved by bob", "a diff", "ping", "a diff"]) {
      texts.push((await run(engine, message("bob", asked))).text);
    }
    expect(texts).toEqual([
      "first diff",
      "pong",
      "thank you, bob",
      "second diff",
      "pong",
      'I have read the message from bob: "a diff".',
    ]);
  });

  it("keeps apart what an agent played in different workspaces", async () => {
    const engine = engineFor({ turns: [{ steps: [{ kind: "say", text: "once" }] }] });
    for (const system of ["You are in review:1.", "You are in review:2."]) {
      await using session = await openSession({ engine, agent, cwd: "/" }, recordingTools(), { system });
      expect(endOf(await stepOf(session, 1, "Go.")).text).toBe("once");
    }
  });

  it("judges a turn by the messages, not by the history around them", async () => {
    const engine = engineFor({ turns: [{ when: "approved", steps: [] }] });
    expect((await run(engine, message("bob", "what now?"))).text).toContain("what now?");
  });

  it("puts the sender, the message and results into texts and arguments, as data", async () => {
    const engine = engineFor({
      turns: [
        {
          steps: [
            { kind: "call", tool: "proposal_status", args: {}, as: "ballots" },
            {
              kind: "call",
              tool: "proposal_vote",
              args: {
                id: "{{ ballots.open.0.id }}",
                rank: "{{ ballots.open.0.rank }}",
                reason: "asked by {{ sender }}",
              },
            },
            { kind: "say", text: '@{{ sender }} voted: {{ result }}. You wrote "{{ message }}".' },
          ],
        },
      ],
    });
    const tools = recordingTools({
      proposal_status: () => success('{"open":[{"id":"blt_7","rank":3}]}'),
      proposal_vote: () => success("counted {{ sender }}"),
    });
    const { text } = await run(engine, message("bob", "vote, @carol"), tools);
    expect(tools.calls[1]?.args).toEqual({ id: "blt_7", rank: 3, reason: "asked by bob" });
    expect(text).toBe('@bob voted: counted {{ sender }}. You wrote "vote, \\@carol".');
    expect(findMentions(text).map(({ name }) => name)).toEqual(["bob"]);
  });

  it("says which value is missing", async () => {
    const engine = engineFor({ turns: [{ steps: [{ kind: "say", text: "{{ nobody }}" }] }] });
    expect(await failureOf(() => run(engine, "Go."))).toMatchObject({
      class: "permanent",
      message: "The script uses {{ nobody }}, which has no value here. Known here: message, sender.",
    });
  });

  it("streams text in pieces, at the pace that is asked for", async () => {
    const clock = manualClock();
    const engine = engineFor(
      { turns: [{ steps: [{ kind: "say", text: "one two three four five six seven", paceMs: 100 }] }] },
      clock,
    );
    await using session = await openSession({ engine, agent, cwd: "/" }, recordingTools());
    const seen: string[] = [];
    for await (const event of session.step({ number: 1, prompt: "Go." }, new AbortController().signal)) {
      if (event.type !== "text") continue;
      seen.push(event.text);
      setImmediate(() => clock.advance(100));
    }
    expect(seen).toEqual(["one two three ", "four five six ", "seven"]);
  });

  it("draws a delay from the range, the same for the same seed", async () => {
    const slept: number[] = [];
    const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms) };
    const script: MockScript = { turns: [{ repeat: true, steps: [{ kind: "delay", minMs: 100, maxMs: 300 }] }] };
    for (const engine of [engineFor(script, clock), engineFor(script, clock)]) {
      for (let round = 0; round < 5; round += 1) await run(engine, "Go.");
    }
    expect(slept.slice(0, 5)).toEqual(slept.slice(5));
    expect(new Set(slept).size).toBeGreaterThan(1);
    for (const ms of slept) expect(ms >= 100 && ms <= 300).toBe(true);
  });

  it("fails as often as it should, by class, then goes on from the step that failed", async () => {
    const script: MockScript = {
      turns: [
        {
          steps: [
            { kind: "call", tool: "look", args: {} },
            { kind: "fail", class: "quota", message: "used up", retryAfterMs: 5_000, times: 2 },
            { kind: "say", text: "recovered" },
          ],
        },
      ],
    };
    const engine = engineFor(script);
    const tools = recordingTools({ look: () => success("seen") });
    const place = { engine, agent, cwd: "/" };
    await using first = await openSession(place, tools);
    const { transcript } = endOf(await stepOf(first, 1, "Go."));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await using session = await openSession(place, tools, { transcript });
      expect(await failureOf(() => stepOf(session, 2, null))).toMatchObject({
        class: "quota",
        message: "used up",
        retryAfterMs: 5_000,
      });
    }
    await using last = await openSession(place, tools, { transcript });
    expect(endOf(await stepOf(last, 2, null))).toMatchObject({ finished: true, text: "recovered" });
    expect(tools.calls).toHaveLength(1);
  });

  it("plays a turn again that was cut off in its first step, and one that failed there", async () => {
    const script: MockScript = {
      turns: [
        {
          steps: [
            { kind: "fail", class: "crash" },
            { kind: "say", text: "after the crash" },
          ],
        },
        { steps: [{ kind: "say", text: "second turn" }] },
      ],
    };
    const engine = engineFor(script);
    expect(await failureOf(() => run(engine, "Go."))).toMatchObject({ class: "crash" });
    expect((await run(engine, "Go.")).text).toBe("after the crash");
    expect((await run(engine, "Go.")).text).toBe("second turn");
  });

  it("goes on in another process from the transcript, and does not play that turn again", async () => {
    const steps = [1, 2, 3].map((n) => ({ kind: "say", text: `part ${n}` }) as const);
    const script: MockScript = { turns: [{ steps }, { steps: [{ kind: "say", text: "next run" }] }] };
    await using before = await openSession({ engine: engineFor(script), agent, cwd: "/" }, recordingTools());
    const { transcript } = endOf(await stepOf(before, 1, "Go."));

    const engine = engineFor(script);
    await using after = await openSession({ engine, agent, cwd: "/" }, recordingTools(), { transcript });
    const rest = await stepsOf(after, { from: 2, prompt: null });
    expect(rest.map(textOf)).toEqual(["part 2", "part 3"]);
    expect((await run(engine, "Go.")).text).toBe("next run");
  });

  it("ends a turn without steps in silence", async () => {
    expect(await run(engineFor({ turns: [{ steps: [] }] }), "Go.")).toMatchObject({ finished: true, text: "" });
  });

  it("refuses a transcript of another engine, and one whose turn is gone from the script", async () => {
    const place = { engine: engineFor({ turns: [{ steps: [] }] }), agent, cwd: "/" };
    for (const transcript of ["{}", "not json", '{"turn":4,"next":1,"values":{},"waiting":null}']) {
      expect(await failureOf(() => openSession(place, recordingTools(), { transcript }))).toMatchObject({
        class: "permanent",
      });
    }
  });
});
