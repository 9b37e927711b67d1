import type { OwnProposal } from "../core/define.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { cancelBallot } from "../ballots/cancel-ballot.ts";
import { castVote } from "../ballots/cast-vote.ts";
import { createBallot } from "../ballots/create-ballot.ts";
import { setDocumentOwner } from "../documents/set-document-owner.ts";
import { sendMessage } from "../messages/send-message.ts";
import { addRule } from "../rules/add-rule.ts";
import { removeRule } from "../rules/remove-rule.ts";
import { closeWorkspace } from "../workspaces/close-workspace.ts";
import { setRole } from "../workspaces/set-role.ts";
import { checkEmbeddable, type Embeddable } from "./embeddable.ts";

/**
 * The built-in proposals that an own one may be made of. What a person must decide alone (approvals, trust, souls) is not
 * among them, nor what changes files, because that cannot be undone with the transaction.
 */
const BUILT_IN: ReadonlyMap<string, Embeddable> = new Map(
  [
    sendMessage,
    createBallot,
    castVote,
    cancelBallot,
    setRole,
    setDocumentOwner,
    addRule,
    removeRule,
    closeWorkspace,
  ].map((each) => [each.name, each as Embeddable]),
);

/** Returns what `ctx.propose` makes under this name. */
export function findComposable(
  name: string,
  own: Result<OwnProposal, Refusal> | undefined,
): Result<Embeddable, Refusal> {
  const builtIn = BUILT_IN.get(name);
  if (builtIn !== undefined) return ok(builtIn);
  if (own === undefined) {
    const hint = `${hintForUnknown(name, [...BUILT_IN.keys()], "proposals")} Own ones without prepare may be proposed, too.`;
    return refuse("not_found", `There is no proposal "${name}" that another one may make.`, { hint });
  }
  return own.ok ? checkEmbeddable(own.value) : own;
}
