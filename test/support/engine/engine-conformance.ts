import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import {
  EngineFailure,
  type Engine,
  type EngineSession,
  type SessionSpec,
  type StepEnd,
  type StepEvent,
} from "../../../src/ports/engine.ts";
import type { ToolHost } from "../../../src/ports/tools.ts";
import { recordingApprovals } from "../team/approvals.ts";
import { failure, recordingTools, success } from "./tool-host.ts";

/**
 * What every engine has to do, as data: an engine's test gives a rig that makes its model behave as told, and runs each
 * case on it. A case knows the port only, and throws when the promise is broken. Nothing is said of how many steps an
 * engine takes, because a command line takes one where a model API takes several.
 */
export interface EngineRig {
  /** An engine whose model does as told: one move for each time it is asked. */
  start(moves: readonly Move[]): Promise<StartedEngine>;
  /** An engine that can never run its agent: no program, no key, no such model. */
  startBroken(): Promise<StartedEngine>;
  /** Cases that cannot be for this engine, by name, with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

export interface StartedEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly agent: AgentDefinition;
  readonly cwd: string;
  /** Processes, connections and timers of sessions that are still there. Absent: the engine has none. */
  readonly left?: () => Promise<number>;
}

/** `hang` never answers. `fail` fails, as something that is worth another try, after the text was streamed. */
export type Move =
  | { readonly say: string }
  | { readonly call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } }
  | { readonly hang: true }
  | { readonly fail: { readonly after: string } };

export interface EngineCase {
  readonly name: string;
  readonly run: (rig: EngineRig) => Promise<void>;
}

export const engineConformance: readonly EngineCase[] = [
  {
    name: "a step ends with one end, and the streamed text is the answer",
    run: async (rig) => {
      await using started = await rig.start([{ say: "The tests pass, and the diff is small." }]);
      await using session = await openSession(started, recordingTools());
      const [events = []] = await stepsOf(session);
      expect(events.filter(({ type }) => type === "end")).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: "end", finished: true, waitsFor: null });
      expect(textOf(events)).toBe("The tests pass, and the diff is small.");
      expect(endOf(events).text).toBe("The tests pass, and the diff is small.");
      expect(() => JSON.parse(endOf(events).transcript)).not.toThrow();
    },
  },
  {
    name: "a tool is called once, with its arguments, and answered under the same id",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "look", args: { at: "diff" } } }, { say: "Seen." }]);
      const tools = recordingTools({ look: () => success("all fine") });
      await using session = await openSession(started, tools);
      const events = (await stepsOf(session)).flat();
      expect(tools.calls).toMatchObject([{ tool: "look", args: { at: "diff" } }]);
      const [asked] = events.filter((event) => event.type === "tool-call");
      const [answered] = events.filter((event) => event.type === "tool-result");
      expect(asked).toMatchObject({ tool: "look", args: { at: "diff" } });
      expect(answered).toMatchObject({ id: asked?.id, tool: "look", content: "all fine", isError: false });
      expect(endOf(events)).toMatchObject({ finished: true, text: "Seen." });
    },
  },
  {
    name: "a tool that fails is a result, and the run goes on",
    run: async (rig) => {
      await using started = await rig.start([{ call: { tool: "look", args: {} } }, { say: "I could not look." }]);
      await using session = await openSession(started, recordingTools({ look: () => failure("no such file") }));
      const events = (await stepsOf(session)).flat();
      expect(events.find((event) => event.type === "tool-result")).toMatchObject({
        content: "no such file",
        isError: true,
      });
      expect(endOf(events)).toMatchObject({ finished: true, text: "I could not look." });
    },
  },
  {
    name: "another session goes on from the transcript with the next step, and repeats no call",
    run: async (rig) => {
      const moves = ["one", "two", "three"].map((tool) => ({ call: { tool, args: {} } }));
      await using started = await rig.start([...moves, { say: "Done." }]);
      const tools = recordingTools({ one: () => success("1"), two: () => success("2"), three: () => success("3") });
      let transcript: string | null = null;
      let last: StepEnd | undefined;
      for (let number = 1; last?.finished !== true; number += 1) {
        await using session = await openSession(started, tools, { transcript });
        last = endOf(await stepOf(session, number, number === 1 ? "Go." : null));
        transcript = last.transcript;
        expect(number).toBeLessThan(20);
      }
      expect(tools.calls.map(({ tool }) => tool)).toEqual(["one", "two", "three"]);
      expect(new Set(tools.calls.map(({ id }) => id)).size).toBe(3);
      expect(last.text).toBe("Done.");
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
        expect(parked).toMatchObject({ finished: false, waitsFor: "apr_1" });
        expect(events.some((event) => event.type === "tool-result")).toBe(false);
      }
      decided = true;
      await using session = await openSession(started, tools, { transcript: parked.transcript });
      const events = (await stepsOf(session, { from: 10, prompt: null })).flat();
      const [before, after, ...more] = tools.calls;
      expect(after).toEqual(before);
      expect(more).toEqual([]);
      expect(events.find((event) => event.type === "tool-result")).toMatchObject({ id: before?.id, content: "done" });
      expect(endOf(events)).toMatchObject({ finished: true, text: "Deployed.", waitsFor: null });
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
      expect(failed).toBeInstanceOf(EngineFailure);
      expect(failed).not.toMatchObject({ class: "permanent" });
      expect(types).not.toContain("end");
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
        await pause(20);
        stop.abort(reason);
        expect(await step).toBe(reason);
        expect(await failureOf(() => stepOf(session, 1, "Go.", stop.signal))).toBe(reason);
      }
      expect((await started.left?.()) ?? 0).toBe(0);
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
      expect(await failureOf(() => stepOf(session, 1, "Go.", stop.signal))).toBe(reason);
    },
  },
  {
    name: "disposing ends a step under way, twice is once, and nothing is left",
    run: async (rig) => {
      await using started = await rig.start([{ hang: true }]);
      const session = await openSession(started, recordingTools());
      const step = failureOf(() => stepOf(session, 1, "Go."));
      await pause(20);
      await Promise.all([session[Symbol.asyncDispose](), session[Symbol.asyncDispose]()]);
      await session[Symbol.asyncDispose]();
      expect(await step).toBeInstanceOf(Error);
      expect((await started.left?.()) ?? 0).toBe(0);
    },
  },
  {
    name: "an agent that can never run fails when it is opened, for good, and says why",
    run: async (rig) => {
      await using started = await rig.startBroken();
      const failed = await failureOf(() => openSession(started, recordingTools()));
      expect(failed).toBeInstanceOf(EngineFailure);
      expect(failed).toMatchObject({ class: "permanent" });
      expect(String(failed).length).toBeGreaterThan(20);
    },
  },
  {
    name: "usage names every class of tokens, null where it is not known",
    run: async (rig) => {
      await using started = await rig.start([{ say: "Ready." }]);
      await using session = await openSession(started, recordingTools());
      const { usage } = endOf((await stepsOf(session)).flat());
      const { cost, ...tokens } = usage;
      expect(Object.keys(tokens).toSorted()).toEqual([
        "cacheWriteTokens",
        "cachedInputTokens",
        "inputTokens",
        "outputTokens",
        "reasoningTokens",
      ]);
      for (const count of Object.values(tokens)) expect(count === null || Number.isInteger(count)).toBe(true);
      expect(["reported", "estimated", "unknown"]).toContain(cost.basis);
    },
  },
];

export async function openSession(
  { engine, agent, cwd }: Pick<StartedEngine, "engine" | "agent" | "cwd">,
  tools: ToolHost,
  spec: Partial<SessionSpec> = {},
): Promise<EngineSession> {
  const system = "You are one of a team.";
  return engine.open(
    {
      run: "run_1",
      agent,
      system,
      transcript: null,
      previous: async () => null,
      tools,
      endpoint: null,
      approvals: recordingApprovals(),
      cwd,
      ...spec,
    },
    never(),
  );
}

/** All events of one step. */
export async function stepOf(
  session: EngineSession,
  number: number,
  prompt: string | null,
  signal: AbortSignal = never(),
): Promise<StepEvent[]> {
  const events: StepEvent[] = [];
  for await (const event of session.step({ number, prompt }, signal)) events.push(event);
  return events;
}

/** Steps until the run is finished or has to wait. */
export async function stepsOf(
  session: EngineSession,
  { from = 1, prompt = "Go." }: { readonly from?: number; readonly prompt?: string | null } = {},
): Promise<StepEvent[][]> {
  const steps: StepEvent[][] = [];
  for (let number = from; number < from + 20; number += 1) {
    const events = await stepOf(session, number, number === from ? prompt : null);
    steps.push(events);
    const { finished, waitsFor } = endOf(events);
    if (finished || waitsFor !== null) return steps;
  }
  throw new Error("the run does not end");
}

export function endOf(events: readonly StepEvent[]): StepEnd {
  const last = events.at(-1);
  if (last?.type === "end") return last;
  throw new Error(`the last event is ${last?.type ?? "missing"}, not the end`);
}

export function textOf(events: readonly StepEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function never(): AbortSignal {
  return new AbortController().signal;
}
