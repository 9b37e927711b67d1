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

/** What a person answers. How far a yes to a tool call reaches: this call, the run, or always by a rule in a file. */
export type DecisionAnswer = "yes" | "no" | "run" | "always" | { readonly option: string };

/** Returns the answer that a key gives; undefined when the key means nothing here. */
export function answerOf(decision: WaitingDecision, key: string): DecisionAnswer | undefined {
  if (decision.kind === "ballot") {
    const option = /^[1-9]$/.test(key) ? decision.view.options[Number(key) - 1] : undefined;
    return option === undefined ? undefined : { option: option.id };
  }
  if (key === "y") return "yes";
  if (key === "n") return "no";
  if (decision.kind !== "approval") return undefined;
  return key === "r" ? "run" : key === "a" ? "always" : undefined;
}

/** Says which keys decide. */
export function keysOf(decision: WaitingDecision): string {
  switch (decision.kind) {
    case "approval":
      return "y yes · n no · r until this run ends · a always";
    case "ballot":
      return `${decision.view.options.map(({ label }, at) => `${at + 1} ${label}`).join(" · ")}`;
    case "suggestion":
      return "y write it · n reject it";
    case "dead":
      return "y deliver it again · n give up on it";
  }
}

/** Says what an answer does. */
export function meaningOf(decision: WaitingDecision, answer: DecisionAnswer): string {
  if (typeof answer === "object") {
    const label = decision.kind === "ballot" && decision.view.options.find(({ id }) => id === answer.option)?.label;
    return `votes for ${label || answer.option}`;
  }
  const yes = answer !== "no";
  switch (decision.kind) {
    case "approval": {
      if (answer === "always") return "shows the rule that would be written";
      const { agent, tool } = decision.view;
      if (!yes) return `refuses ${agent} to call ${tool}`;
      return `allows ${agent} to call ${tool}${answer === "run" ? ", until this run ends" : ""}`;
    }
    case "suggestion":
      return yes ? `writes ${decision.view.file}` : `rejects the change of ${decision.view.file}`;
    case "dead":
      return yes
        ? `delivers it to ${decision.view.agent} again`
        : `gives up on this message for ${decision.view.agent}`;
    case "ballot":
      return "votes";
  }
}
