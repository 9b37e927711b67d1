import type { MessageView } from "../../../contract/messages.ts";
import type { Style } from "../../screen/span.ts";

/** A tool call, seen while it happened or stored. */
export interface SeenCall {
  readonly id: string;
  /** Of its run. */
  readonly step: number;
  readonly tool: string;
  /** As people read them. JSON for a call that was stored. */
  readonly args: unknown;
  /** Undefined while it has no answer. */
  readonly result?: { readonly content: string; readonly isError: boolean };
}

/** One thing in a pane, from the oldest to the newest. Items never change, so that their lines are laid out once. */
export type FeedItem =
  | { readonly kind: "message"; readonly key: string; readonly message: MessageView }
  | {
      readonly kind: "calls";
      readonly key: string;
      readonly run: string;
      readonly agent: string;
      /** They were made before the chat was open. */
      readonly past: boolean;
      readonly calls: readonly SeenCall[];
    }
  /** What the chat itself says here: an answer to a command of the person. */
  | { readonly kind: "note"; readonly key: string; readonly text: string; readonly style: Style };

/** What a run does now: its words and tool calls since it began or last spoke. */
export interface LiveRun {
  readonly run: string;
  readonly agent: string;
  readonly step: number;
  readonly text: string;
  readonly calls: readonly SeenCall[];
}

function messageItem(message: MessageView): FeedItem {
  return { kind: "message", key: message.id, message };
}

/** Adds later messages at the end. Those that are there already are left out. */
export function withLater(items: readonly FeedItem[], messages: readonly MessageView[]): readonly FeedItem[] {
  const last = lastSeq(items);
  const added = messages.filter(({ seq }) => seq > last);
  return added.length === 0 ? items : [...items, ...added.map(messageItem)];
}

export function withEarlier(items: readonly FeedItem[], messages: readonly MessageView[]): readonly FeedItem[] {
  const first = firstSeq(items);
  const added = messages.filter(({ seq }) => first === undefined || seq < first);
  return added.length === 0 ? items : [...added.map(messageItem), ...items];
}

export function messagesOf(items: readonly FeedItem[]): MessageView[] {
  return items.flatMap((item) => (item.kind === "message" ? [item.message] : []));
}

export function firstSeq(items: readonly FeedItem[]): number | undefined {
  for (const item of items) if (item.kind === "message") return item.message.seq;
  return undefined;
}

export function lastSeq(items: readonly FeedItem[]): number {
  const last = items.findLast((item) => item.kind === "message");
  return last?.kind === "message" ? last.message.seq : 0;
}

/** Adds the calls that a run made: above what it said, however late they are known. */
export function withCalls(items: readonly FeedItem[], { run, agent, step, calls }: LiveRun): readonly FeedItem[] {
  if (calls.length === 0) return items;
  const key = `${run}/${step}/${calls[0]?.id ?? ""}`;
  const item: FeedItem = { kind: "calls", key, run, agent, past: false, calls };
  const spoken = items.findLastIndex((each) => each.kind === "message" && each.message.run === run);
  return spoken === -1 ? [...items, item] : items.toSpliced(spoken, 0, item);
}
