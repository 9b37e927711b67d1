import type { MessageView } from "../../../src/contract/messages.ts";
import { announcedApproval } from "../text/notice-text.ts";
import { applyWaiting, showHeld, type DecisionList, type ShownDecision } from "./decision-list.ts";
import { spaceOfDecision, type WaitingDecisions } from "./waiting-decisions.ts";

/** Where the decisions of a space are shown among its messages. */
export interface PlacedDecisions {
  /** In the place of a notice that says the same, by the id of the notice. */
  readonly instead: ReadonlyMap<string, ShownDecision>;
  /** After a message, by its id. */
  readonly after: ReadonlyMap<string, readonly ShownDecision[]>;
}

/** Applies what waits in one space. What arrives is shown at once: it comes at the end of the channel. */
export function applyWaitingIn(list: DecisionList, waiting: WaitingDecisions, space: string): DecisionList {
  const items = waiting.items.filter((item) => spaceOfDecision(item) === space);
  return showHeld(applyWaiting(list, { ...waiting, items }));
}

/**
 * Places each decision where it was announced, or else by its time. One that is older than the first message is not
 * placed: it comes with the messages before, or first when there are none before.
 */
export function placeDecisions(
  messages: readonly MessageView[],
  decisions: readonly ShownDecision[],
  hasEarlier: boolean,
): PlacedDecisions {
  const instead = new Map<string, ShownDecision>();
  const after = new Map<string, ShownDecision[]>();
  for (const decision of decisions) {
    const notice = messages.find((message) => announces(message, decision));
    if (notice !== undefined && !instead.has(notice.id) && decision.item.kind !== "dead") {
      instead.set(notice.id, decision);
      continue;
    }
    const at = Date.parse(decision.item.at);
    const place =
      notice ?? messages.findLast((message) => Date.parse(message.at) <= at) ?? firstOf(messages, hasEarlier);
    if (place !== undefined) after.set(place.id, [...(after.get(place.id) ?? []), decision]);
  }
  return { instead, after };
}

function firstOf(messages: readonly MessageView[], hasEarlier: boolean): MessageView | undefined {
  return hasEarlier ? undefined : messages[0];
}

/** Whether a message is the notice that opened a ballot. */
export function announcesBallot({ from, kind, content }: MessageView, id: string): boolean {
  if (from !== "system" && kind !== "notice") return false;
  return content.includes(id) && content.includes("Options: ") && content.includes(" opened the ballot ");
}

function announces(message: MessageView, { item }: ShownDecision): boolean {
  const { from, kind, content } = message;
  if (from !== "system" && kind !== "notice") return false;
  switch (item.kind) {
    case "approval":
      return announcedApproval(content) === item.id;
    case "ballot":
      return announcesBallot(message, item.id);
    case "dead":
      return content.includes("could not answer") && content.includes(item.view.message.id);
    default:
      return false;
  }
}
