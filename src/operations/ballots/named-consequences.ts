import type { z } from "zod";
import type { proposedOption } from "../../contract/ballots.ts";
import type { BallotConsequence, BallotType } from "../../domain/ballot/ballot.ts";
import { parseConsequence } from "../../domain/ballot/named-consequence.ts";
import { APPROVAL_OPTIONS, type ProposedOption } from "../../domain/ballot/terms.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { setDocumentOwner } from "../documents/set-document-owner.ts";
import { sendMessage } from "../messages/send-message.ts";
import { setRole } from "../workspaces/set-role.ts";
import { withSpace } from "./ballot-consequences.ts";

/** An option as a caller gives it. */
type WrittenOption = z.output<typeof proposedOption>;

interface BallotPlace {
  readonly space: string;
  readonly participants: readonly string[];
  readonly title: string;
}

/**
 * Returns the options with what follows from each. `then` is for every option that has no consequence of its own; of an
 * approval, only for its approval.
 */
export function optionsWithConsequences(
  type: BallotType,
  written: readonly WrittenOption[],
  then: string | undefined,
  place: BallotPlace,
): Result<ProposedOption[], Refusal> {
  const given = written.length === 0 && type === "approval" ? APPROVAL_OPTIONS : written;
  const options: ProposedOption[] = [];
  for (const [index, option] of given.entries()) {
    const { then: own, ...plain } = typeof option === "string" ? { label: option } : { then: undefined, ...option };
    const chosen = own ?? (type === "approval" && index > 0 ? undefined : then);
    const consequence = chosen === undefined ? ok(undefined) : consequenceOf(chosen, plain, place);
    if (!consequence.ok) return consequence;
    options.push(consequence.value === undefined ? plain : { ...plain, then: consequence.value });
  }
  return ok(options);
}

function consequenceOf(
  then: string | BallotConsequence,
  option: { readonly id?: string | undefined; readonly label: string },
  { space, participants, title }: BallotPlace,
): Result<BallotConsequence, Refusal> {
  if (typeof then !== "string") return ok(withSpace(then, space));
  const parsed = parseConsequence(then);
  if (!parsed.ok) return parsed;
  const { name, text } = parsed.value;
  const candidates = parsed.value.agent === undefined ? [option.label.trim(), option.id] : [parsed.value.agent];
  const agent = participants.find((each) => candidates.includes(each));
  if (agent === undefined) {
    return refuse("not_participant", `"${candidates[0]}" is not a participant, so "${name}" cannot be about it.`, {
      hint: `Participants: ${participants.join(", ")}. Name one as the option, or after "${name}".`,
    });
  }
  switch (name) {
    case "document-owner":
      return ok({ propose: setDocumentOwner.name, data: { target: space, owner: agent } });
    case "role":
      return ok({ propose: setRole.name, data: { target: space, agent, role: text } });
    case "assign":
      return ok({
        propose: sendMessage.name,
        data: { to: `${agent}${space}`, message: `You were chosen by vote: ${title}\nThis is your task: ${text}` },
      });
  }
}
