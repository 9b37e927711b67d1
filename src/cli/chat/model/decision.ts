import type { ApprovalView } from "../../../contract/approvals.ts";
import type { BallotView } from "../../../contract/ballots.ts";
import type { SuggestionView } from "../../../contract/documents.ts";
import type { DeliveryView } from "../../../contract/inbox.ts";

/** Something that waits for the person. */
export type WaitingDecision = { readonly id: string; readonly space: string } & (
  | { readonly kind: "approval"; readonly view: ApprovalView }
  | { readonly kind: "ballot"; readonly view: BallotView }
  /** `current` is the text of the document now. */
  | { readonly kind: "suggestion"; readonly view: SuggestionView; readonly current: string }
  | { readonly kind: "dead"; readonly view: DeliveryView }
);

/** What a person answers. `always` also answers later calls of the same tool by the same agent, while the chat is open. */
export type DecisionAnswer = "yes" | "no" | "always" | { readonly option: string };

/** Returns the answer that a key gives; undefined when the key means nothing here. */
export function answerOf(decision: WaitingDecision, key: string): DecisionAnswer | undefined {
  if (decision.kind === "ballot") {
    const option = /^[1-9]$/.test(key) ? decision.view.options[Number(key) - 1] : undefined;
    return option === undefined ? undefined : { option: option.id };
  }
  if (key === "y") return "yes";
  if (key === "n") return "no";
  return key === "a" && decision.kind === "approval" ? "always" : undefined;
}

/** Says which keys decide. */
export function keysOf(decision: WaitingDecision): string {
  switch (decision.kind) {
    case "approval":
      return `y yes · n no · a always ${decision.view.tool}, in this chat`;
    case "ballot":
      return `${decision.view.options.map(({ label }, at) => `${at + 1} ${label}`).join(" · ")}`;
    case "suggestion":
      return "y write it · n reject it";
    case "dead":
      return "y deliver it again · n give up on it";
  }
}

/** The name of what `always` allows. */
export function alwaysKey({ agent, space, tool }: ApprovalView): string {
  return JSON.stringify([agent, space, tool]);
}
