import { waitOf } from "../../operations/runs/waiting-runs.ts";
import type { RunEvent } from "../../contract/service/work-request.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import { PERSON } from "../../domain/message/message.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunningProject } from "../running-project.ts";
import type { LiveEvent } from "../runs/live-event.ts";
import { figuresOf } from "./usage-figures.ts";

/**
 * Emits the events of a work request in the order in which they happened. A message is read from the store after its
 * event; events that arrive during that read wait. Nothing is emitted before `follow`, which defines what belongs to
 * the request.
 */
export interface RequestWatch extends Disposable {
  follow(scope: RequestScope): void;
  /** Resolves when everything that has happened so far was emitted. */
  caughtUp(): Promise<void>;
  /** The last message of an agent. */
  readonly answer: MessageRecord | undefined;
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string; readonly args: unknown }[];
  readonly runs: ReadonlySet<string>;
  /** The messages in the space that belong to the request. */
  readonly messages: ReadonlySet<string>;
}

/** Decides what belongs to this request: other requests may run in the same space at the same time. */
export interface RequestScope {
  run(id: string): Promise<boolean>;
  message(message: MessageRecord): boolean;
  /** Whether the request waits because another run waits. Absent: never. */
  waitsWith?(run: string): Promise<boolean>;
}

type AnyEvent = RecordedEvent | LiveEvent;

/**
 * `repliesElsewhere`: the space has no channel, so its agents reply in their direct messages, and those replies belong to
 * the request. `withSubSpaces`: what happens in the sub-spaces of the workspace belongs to it, too.
 */
export function observeRequest(
  project: RunningProject,
  space: string,
  emit: (event: RunEvent) => void,
  { repliesElsewhere, withSubSpaces }: { readonly repliesElsewhere: boolean; readonly withSubSpaces: boolean },
): RequestWatch {
  const waiting: AnyEvent[] = [];
  const belongsByRun = new Map<string, boolean>();
  const runs = new Set<string>();
  const messages = new Set<string>();
  const toolCalls: { agent: string; tool: string; args: unknown }[] = [];
  let answer: MessageRecord | undefined;
  let scope: RequestScope | undefined;
  let emitting: Promise<void> | undefined;
  const isInSubSpace = (other: string): boolean => withSubSpaces && other !== space && workspaceOf(other) === space;
  const placeOf = (other: string): { readonly space?: string } => (isInSubSpace(other) ? { space: other } : {});

  /** Returns false when the store has to be read first. */
  const emitNow = (event: AnyEvent): boolean => {
    if (event.type === "message.posted" || event.type === "run.waits") return false;
    if (event.type !== "run.started" && !isLive(event)) return true;
    const belongs = belongsByRun.get(event.run);
    if (belongs === undefined) return false;
    if (!belongs || event.type === "run.started") return true;
    if (event.type === "step" && event.number > 1) return false;
    if (event.type === "tool-call") toolCalls.push({ agent: event.agent, tool: event.tool, args: event.args });
    emit({ ...toRunEvent(event), ...placeOf(event.space) });
    return true;
  };

  const readAndEmit = async (event: AnyEvent, current: RequestScope): Promise<void> => {
    if (event.type === "message.posted") {
      const message = await project.store.read((store) => store.messages.byId(event.message));
      if (message === undefined || !current.message(message)) return;
      const isWithin = isInSubSpace(message.space);
      if (message.space !== space && !isWithin && (message.run === null || !runs.has(message.run))) return;
      if (message.space === space) messages.add(message.id);
      // What is said in a sub-space is for those who are there.
      if (message.kind === "message" && message.sender !== PERSON && !isWithin) answer = message;
      emit({ ...messageEvent(message), ...placeOf(message.space) });
    } else if (event.type === "run.waits") {
      const isOurs = runs.has(event.run) || (await current.run(event.run));
      if (!isOurs && (await current.waitsWith?.(event.run)) !== true) return;
      const waiting = await project.store.read(async (store) => {
        const run = await store.runs.byId(event.run);
        return run === undefined || run.waitsFor === null ? null : waitOf(store, run);
      });
      if (waiting !== null) emit({ type: "waiting", ...waiting });
    } else if (event.type === "run.started" || isLive(event)) {
      const belongs = await current.run(event.run);
      belongsByRun.set(event.run, belongs);
      if (belongs) runs.add(event.run);
      if (belongs && event.type === "step" && event.number > 1) {
        const used = await project.store.read((store) => store.runs.usage({ run: event.run }));
        emit({ ...toRunEvent(event), usage: figuresOf(used), ...placeOf(event.space) });
      } else emitNow(event);
    }
  };

  const emitAll = async (current: RequestScope): Promise<void> => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      // An event that cannot be read is left out; reading the result of the request fails for the same reason.
      if (!emitNow(event)) await readAndEmit(event, current).catch(() => {});
    }
    emitting = undefined;
  };

  const isReplyElsewhere = (event: AnyEvent & { readonly space: string }): boolean =>
    repliesElsewhere && event.type === "message.posted" && !event.space.startsWith("@");

  const onEvent = (event: AnyEvent): void => {
    if (!("space" in event)) return;
    if (event.space !== space && !isInSubSpace(event.space) && !isReplyElsewhere(event)) return;
    if (scope !== undefined && emitting === undefined && emitNow(event)) return;
    waiting.push(event);
    if (scope !== undefined) emitting ??= emitAll(scope);
  };

  const recorded = project.events.observe((events) => events.forEach(onEvent));
  const live = project.runtime.live.observe((events) => events.forEach(onEvent));
  return {
    follow(requestScope) {
      scope = requestScope;
      emitting ??= emitAll(requestScope);
    },
    async caughtUp() {
      await emitting;
    },
    get answer() {
      return answer;
    },
    toolCalls,
    runs,
    messages,
    [Symbol.dispose]() {
      recorded[Symbol.dispose]();
      live[Symbol.dispose]();
      waiting.length = 0;
    },
  };
}

function isLive(event: AnyEvent): event is LiveEvent {
  return !("seq" in event);
}

function toRunEvent(event: LiveEvent & { readonly type: "step" }): Extract<RunEvent, { type: "step" }>;
function toRunEvent(event: LiveEvent): RunEvent;
function toRunEvent(event: LiveEvent): RunEvent {
  const { agent } = event;
  switch (event.type) {
    case "text":
      return { type: "chunk", agent, text: event.text };
    case "step":
      return { type: "step", agent, run: event.run, number: event.number };
    case "tool-call":
      return { type: "tool_call", agent, tool: event.tool, args: event.args, ...shownOf(event) };
    case "tool-result":
      return { type: "tool_result", agent, tool: event.tool, content: event.content, isError: event.isError };
  }
}

function shownOf({ shown }: { readonly shown?: unknown }): { readonly shown?: unknown } {
  return shown === undefined ? {} : { shown };
}

function messageEvent(message: MessageRecord): RunEvent {
  const { id, seq, sender, addressee, kind, body, resource, mentions } = message;
  return { type: "message", id, seq, from: sender, to: addressee, kind, content: body, resource, mentions };
}
