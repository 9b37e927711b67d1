import assert from "node:assert/strict";
import { joinTranscript } from "../domain/agent/transcript.ts";
import { systemClock } from "../kernel/clock.ts";
import { EngineFailure, type StepEnd } from "../ports/engine.ts";
import { endOf, failureOf, never, openSession, stepOf, stepsOf, textOf, type EngineUnderTest } from "./engine-steps.ts";
import { failure, recordingTools, success } from "./recording-tools.ts";

/**
 * What every engine has to do, as cases for any test runner. A test passes a rig, which makes the engine's model follow
 * the moves of a case, to `run` of each case. A case uses only the port, and throws when the engine breaks its
 * contract. No case counts steps, because a command line takes one where a model API takes several.
 *
 *     for (const { name, run } of engineCases(rig)) test(name, () => run(rig));
 */
export interface EngineCase {
  readonly name: string;
  readonly run: (rig: EngineRig) => Promise<void>;
}

export interface EngineRig {
  /** An engine whose model makes one move each time it is called. */
  start(moves: readonly EngineMove[]): Promise<StartedEngine>;
  /** An engine that can never run its agent: no program, no key, no such model. */
  startBroken(): Promise<StartedEngine>;
  /** Names of cases that are impossible for this engine, with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

export interface StartedEngine extends EngineUnderTest, AsyncDisposable {
  /** Returns the number of processes, connections and timers that sessions left behind. Absent: there can be none. */
  readonly left?: () => Promise<number>;
}

/** `hang`: never responds. `fail`: streams the text, then fails in a way that may be retried. */
export type EngineMove =
  | { readonly say: string }
  | { readonly call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } }
  | { readonly hang: true }
  | { readonly fail: { readonly after: string } };

/** Returns the cases that the rig does not skip. */
export function engineCases({ skip = {} }: Pick<EngineRig, "skip">): EngineCase[] {
  return CASES.filter(({ name }) => skip[name] === undefined);
}

const CASES: readonly EngineCase[] = [
  {
    name: "a step ends with one end, and the streamed text is the answer",
    run: async (rig) => {
      await using started = await rig.start([{ say: "The tests pass, and the diff is small." }]);
      await using session = await openSession(started, recordingTools());
      const [events = []] = await stepsOf(session);
      assert.equal(events.filter(({ type }) => type === "end").length, 1);
      assert.partialDeepStrictEqual(events.at(-1), { type: "end", finished: true, waitsFor: null });
      assert.equal(textOf(events), "The tests pass, and the diff is small.");
      assert.equal(endOf(events).text, "The tests pass, and the diff is small.");
      assert.doesNotThrow(() => JSON.parse(endOf(events).transcript) as unknown);
    },
  },
  {
    name: "a tool is called once, with its arguments, and answered under the same id",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "look", args: { at: "diff" } } }, { say: "Seen." }]);
      const tools = recordingTools({ look: () => success("all fine") });
      await using session = await openSession(started, tools);
      const events = (await stepsOf(session)).flat();
      assert.deepEqual(
        tools.calls.map(({ tool, args }) => ({ tool, args })),
        [{ tool: "look", args: { at: "diff" } }],
      );
      const [call] = events.filter((event) => event.type === "tool-call");
      const [result] = events.filter((event) => event.type === "tool-result");
      assert.ok(call !== undefined);
      assert.deepEqual([call.tool, call.args], ["look", { at: "diff" }]);
      assert.partialDeepStrictEqual(result, { id: call.id, tool: "look", content: "all fine", isError: false });
      assert.partialDeepStrictEqual(endOf(events), { finished: true, text: "Seen." });
    },
  },
  {
    name: "a tool that fails is a result, and the run goes on",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "look", args: {} } }, { say: "I could not look." }]);
      await using session = await openSession(started, recordingTools({ look: () => failure("no such file") }));
      const events = (await stepsOf(session)).flat();
      const result = events.find((event) => event.type === "tool-result");
      assert.partialDeepStrictEqual(result, { content: "no such file", isError: true });
      assert.partialDeepStrictEqual(endOf(events), { finished: true, text: "I could not look." });
    },
  },
  {
    name: "another session goes on from the transcript with the next step, and repeats no call",
    run: async (rig) => {
      const moves = ["one", "two", "three"].map((tool) => ({ call: { tool, args: {} } }));
      await using started = await rig.start([...moves, { say: "Done." }]);
      const tools = recordingTools({ one: () => success("1"), two: () => success("2"), three: () => success("3") });
      let transcript: string | null = null;
      let parts: string[] = [];
      let last: StepEnd | undefined;
      for (let number = 1; last?.finished !== true; number += 1) {
        await using session = await openSession(started, tools, { transcript });
        last = endOf(await stepOf(session, number, number === 1 ? "Go." : null));
        parts = last.continues === true ? [...parts, last.transcript] : [last.transcript];
        transcript = joinTranscript(parts);
        assert.ok(number < 20, "the run does not end");
      }
      assert.deepEqual(
        tools.calls.map(({ tool }) => tool),
        ["one", "two", "three"],
      );
      assert.equal(new Set(tools.calls.map(({ id }) => id)).size, 3);
      assert.equal(last.text, "Done.");
    },
  },
  {
    name: "a call that needs approval parks the run, and is made again under its id",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "deploy", args: { to: "test" } } }, { say: "Deployed." }]);
      let decided = false;
      const tools = recordingTools({
        deploy: () => (decided ? success("done") : { kind: "approval", approval: "apr_1" }),
      });
      let parked: StepEnd;
      {
        await using session = await openSession(started, tools);
        const events = (await stepsOf(session)).flat();
        parked = endOf(events);
        assert.partialDeepStrictEqual(parked, { finished: false, waitsFor: "apr_1" });
        assert.ok(!events.some((event) => event.type === "tool-result"));
      }
      decided = true;
      await using session = await openSession(started, tools, { transcript: parked.transcript });
      const events = (await stepsOf(session, { from: 10, prompt: null })).flat();
      const [before, after, ...more] = tools.calls;
      assert.ok(before !== undefined);
      assert.deepEqual(after, before);
      assert.deepEqual(more, []);
      const result = events.find((event) => event.type === "tool-result");
      assert.partialDeepStrictEqual(result, { id: before.id, content: "done" });
      assert.partialDeepStrictEqual(endOf(events), { finished: true, text: "Deployed.", waitsFor: null });
    },
  },
  {
    name: "text streamed before a failure is no answer",
    run: async (rig) => {
      await using started = await rig.start([{ fail: { after: "I think that" } }]);
      await using session = await openSession(started, recordingTools());
      const types: string[] = [];
      const failed = await failureOf(async () => {
        for await (const { type } of session.step({ number: 1, prompt: "Go." }, never())) types.push(type);
      });
      assert.ok(failed instanceof EngineFailure);
      assert.notEqual(failed.class, "permanent");
      assert.ok(!types.includes("end"));
    },
  },
  {
    name: "an abort throws its reason soon and leaves nothing behind",
    run: async (rig) => {
      await using started = await rig.start([{ hang: true }]);
      const stop = new AbortController();
      const reason = new Error("enough");
      {
        await using session = await openSession(started, recordingTools());
        const step = failureOf(() => stepOf(session, 1, "Go.", stop.signal));
        await systemClock.sleep(20);
        stop.abort(reason);
        assert.equal(await step, reason);
        assert.equal(await failureOf(() => stepOf(session, 1, "Go.", stop.signal)), reason);
      }
      assert.equal((await started.left?.()) ?? 0, 0);
    },
  },
  {
    name: "a tool call is aborted with the step",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "wait", args: {} } }]);
      const stop = new AbortController();
      const reason = new Error("enough");
      const tools = recordingTools({
        wait: (_args, _call, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
            queueMicrotask(() => stop.abort(reason));
          }),
      });
      await using session = await openSession(started, tools);
      assert.equal(await failureOf(() => stepOf(session, 1, "Go.", stop.signal)), reason);
    },
  },
  {
    name: "disposing ends a step under way, twice is once, and nothing is left",
    run: async (rig) => {
      await using started = await rig.start([{ hang: true }]);
      const session = await openSession(started, recordingTools());
      const step = failureOf(() => stepOf(session, 1, "Go."));
      await systemClock.sleep(20);
      await Promise.all([session[Symbol.asyncDispose](), session[Symbol.asyncDispose]()]);
      await session[Symbol.asyncDispose]();
      assert.ok((await step) instanceof Error);
      assert.equal((await started.left?.()) ?? 0, 0);
    },
  },
  {
    name: "an agent that can never run fails when it is opened, for good, and says why",
    run: async (rig) => {
      await using started = await rig.startBroken();
      const failed = await failureOf(() => openSession(started, recordingTools()));
      assert.ok(failed instanceof EngineFailure);
      assert.equal(failed.class, "permanent");
      assert.ok(String(failed).length > 20);
    },
  },
  {
    name: "usage names every class of tokens, null where it is not known",
    run: async (rig) => {
      await using started = await rig.start([{ say: "Ready." }]);
      await using session = await openSession(started, recordingTools());
      const { usage } = endOf((await stepsOf(session)).flat());
      const { cost, ...tokens } = usage;
      const classes = ["cacheWriteTokens", "cachedInputTokens", "inputTokens", "outputTokens", "reasoningTokens"];
      assert.deepEqual(Object.keys(tokens).toSorted(), classes);
      for (const count of Object.values(tokens)) assert.ok(count === null || Number.isInteger(count));
      assert.ok(["reported", "estimated", "unknown"].includes(cost.basis));
    },
  },
];
