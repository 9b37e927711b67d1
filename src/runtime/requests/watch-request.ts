import type { RunEvent } from "../../contract/work-request.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import { PERSON } from "../../domain/message/message.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { LiveEvent } from "../runs/live-events.ts";
import type { RunningProject } from "../running-project.ts";

/**
 * Sees what happens in the space of an workRequest and tells it in the order in which it happened. A message is read from the
 * store by its event, so what is told is what was kept; whatever comes during that read waits its turn. Nothing is told
 * before `follow`: until then it is not known what belongs to the workRequest.
 */
export interface RequestWatch extends Disposable {
  follow(ours: RequestScope): void;
  /** Resolves when everything that has happened so far was told. */
  caughtUp(): Promise<void>;
  /** The last message of an agent. */
  readonly answer: MessageRecord | undefined;
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string }[];
  readonly runs: ReadonlySet<string>;
}

/** Others may be served in the same space at the same time: what of it belongs to this workRequest. */
export interface RequestScope {
  run(id: string): Promise<boolean>;
  message(message: MessageRecord): boolean;
}

type Seen = RecordedEvent | LiveEvent;

export function observeRequest(project: RunningProject, space: string, tell: (event: RunEvent) => void): RequestWatch {
  const waiting: Seen[] = [];
  const known = new Map<string, boolean>();
  const runs = new Set<string>();
  const toolCalls: { agent: string; tool: string }[] = [];
  let answer: MessageRecord | undefined;
  let ours: RequestScope | undefined;
  let telling: Promise<void> | undefined;

  /** False when the store has to be asked first. */
  const tellNow = (event: Seen): boolean => {
    if (event.type === "message.posted") return false;
    if (event.type !== "run.started" && !isLive(event)) return true;
    const belongs = known.get(event.run);
    if (belongs === undefined) return false;
    if (!belongs || event.type === "run.started") return true;
    if (event.type === "tool-call") toolCalls.push({ agent: event.agent, tool: event.tool });
    tell(liveEvent(event));
    return true;
  };

  const tellLater = async (event: Seen, mine: RequestScope): Promise<void> => {
    if (event.type === "message.posted") {
      const message = await project.store.read((store) => store.messages.byId(event.message));
      if (message === undefined || !mine.message(message)) return;
      if (message.kind === "message" && message.sender !== PERSON) answer = message;
      tell(messageEvent(message));
    } else if (event.type === "run.started" || isLive(event)) {
      const belongs = await mine.run(event.run);
      known.set(event.run, belongs);
      if (belongs) runs.add(event.run);
      tellNow(event);
    }
  };

  const tellAll = async (mine: RequestScope): Promise<void> => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      // What cannot be read cannot be told; whoever needs it for the end meets the same failure there.
      if (!tellNow(event)) await tellLater(event, mine).catch(() => {});
    }
    telling = undefined;
  };

  const take = (event: Seen): void => {
    if (!("space" in event) || event.space !== space) return;
    if (ours !== undefined && telling === undefined && tellNow(event)) return;
    waiting.push(event);
    if (ours !== undefined) telling ??= tellAll(ours);
  };

  const recorded = project.events.observe((events) => events.forEach(take));
  const live = project.runtime.live.observe((events) => events.forEach(take));
  return {
    follow(mine) {
      ours = mine;
      telling ??= tellAll(mine);
    },
    async caughtUp() {
      await telling;
    },
    get answer() {
      return answer;
    },
    toolCalls,
    runs,
    [Symbol.dispose]() {
      recorded[Symbol.dispose]();
      live[Symbol.dispose]();
      waiting.length = 0;
    },
  };
}

function isLive(event: Seen): event is LiveEvent {
  return !("seq" in event);
}

function liveEvent(event: LiveEvent): RunEvent {
  const { agent } = event;
  switch (event.type) {
    case "text":
      return { type: "chunk", agent, text: event.text };
    case "step":
      return { type: "step", agent, run: event.run, number: event.number };
    case "tool-call":
      return { type: "tool_call", agent, tool: event.tool, args: event.args };
    case "tool-result":
      return { type: "tool_result", agent, tool: event.tool, content: event.content, isError: event.isError };
  }
}

function messageEvent(message: MessageRecord): RunEvent {
  const { id, seq, sender, addressee, kind, body, resource, mentions } = message;
  return { type: "message", id, seq, from: sender, to: addressee, kind, content: body, resource, mentions };
}
