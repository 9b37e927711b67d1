import type { AgentDefinition } from "../domain/agent/definition.ts";
import type { Engine, EngineSession, SessionSpec, StepEnd, StepEvent } from "../ports/engine.ts";
import type { Approvals, ToolHost } from "../ports/tools.ts";

/** An engine and what its sessions are opened with. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly agent: AgentDefinition;
  readonly cwd: string;
}

const PENDING_APPROVALS: Approvals = {
  ask: async () => ({ pending: "apr_1" }),
  answer: async () => ({ approved: false, reason: "nobody asked" }),
};

export async function openSession(
  { engine, agent, cwd }: EngineUnderTest,
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
      approvals: PENDING_APPROVALS,
      cwd,
      personalFolders: { own: null, others: [] },
      ...spec,
    },
    never(),
  );
}

/** Returns all events of one step. */
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

/** Executes steps until the run is finished or has to wait. */
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

/** Returns what the function throws. */
export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
