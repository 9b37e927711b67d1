import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import {
  BALLOT_TYPES,
  type BallotConsequence,
  type BallotOption,
  type BallotRule,
  type BallotTerms,
  type BallotType,
  type TieBreak,
} from "./ballot.ts";

/** An option as proposed: a label, or a label with an optional id and consequence. */
export type ProposedOption =
  | string
  | { readonly id?: string | undefined; readonly label: string; readonly then?: BallotConsequence };

export interface ProposedTerms {
  readonly type: BallotType;
  readonly creator: string;
  /** The voters at creation. Agents that join later cannot vote. */
  readonly eligible: readonly string[];
  readonly seed: number;
  readonly options?: readonly ProposedOption[];
  readonly rule?: BallotRule;
  readonly quorum?: number;
  readonly tie?: TieBreak;
  /** Id or label of the winning option at expiry. */
  readonly fallback?: string | null;
}

export const MAX_OPTIONS = 20;
const MAX_LABEL = 200;
const OPTION_ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
export const APPROVAL_OPTIONS: readonly Exclude<ProposedOption, string>[] = [
  { id: "approve", label: "Approve" },
  { id: "reject", label: "Reject" },
];

/** Checks the proposed terms and fills in defaults. The result never changes while the ballot is open. */
export function ballotTerms(proposed: ProposedTerms): Result<BallotTerms, Refusal> {
  const { type, creator, seed, eligible } = proposed;
  if (!BALLOT_TYPES.includes(type)) {
    return refuse("invalid", `"${String(type)}" is not a type of ballot.`, { hint: `Use ${BALLOT_TYPES.join(", ")}.` });
  }
  const options = ballotOptions(type, proposed.options ?? []);
  if (!options.ok) return options;

  if (eligible.length === 0) {
    return refuse("invalid", "A ballot needs at least one eligible voter.", {
      hint: "Name the voters, or create the ballot in a workspace that has participants.",
    });
  }
  const repeated = eligible.find((voter, index) => eligible.indexOf(voter) !== index);
  if (repeated !== undefined) {
    return refuse("invalid", `"${repeated}" is listed twice among the eligible voters.`, {
      hint: "Name every voter once: each has one vote.",
    });
  }

  const quorum = proposed.quorum ?? eligible.length;
  if (!Number.isInteger(quorum) || quorum < 1 || quorum > eligible.length) {
    return refuse("invalid", `A quorum of ${quorum} is not possible with ${eligible.length} eligible voters.`, {
      hint: `Give a whole number from 1 to ${eligible.length}, or leave it out to wait for everyone.`,
    });
  }

  let fallback: string | null = null;
  if (proposed.fallback !== undefined && proposed.fallback !== null) {
    const option = findOption(options.value, proposed.fallback);
    if (!option.ok) return option;
    fallback = option.value.id;
  }

  const rule = proposed.rule ?? "plurality";
  const tie = proposed.tie ?? "first";
  return ok({ type, options: options.value, rule, quorum, tie, fallback, eligible: [...eligible], creator, seed });
}

/** Returns the option with this id, or else the one whose id or label is equal without regard to case. */
export function findOption(options: readonly BallotOption[], text: string): Result<BallotOption, Refusal> {
  const name = folded(text);
  const option =
    options.find(({ id }) => id === text) ??
    options.find(({ id, label }) => folded(id) === name || folded(label) === name);
  if (option !== undefined) return ok(option);
  const ids = options.map(({ id }) => id);
  return refuse("invalid", `"${text}" is not an option of this ballot.`, {
    hint: hintForUnknown(text, ids, "options"),
    details: { options: ids },
  });
}

function ballotOptions(type: BallotType, proposed: readonly ProposedOption[]): Result<BallotOption[], Refusal> {
  const options = proposed.length === 0 && type === "approval" ? APPROVAL_OPTIONS : proposed;
  if (options.length < 2 || options.length > MAX_OPTIONS) {
    return refuse("invalid", `A ballot has 2 to ${MAX_OPTIONS} options; this one has ${options.length}.`, {
      hint: "Give at least two options. Only an approval has options of its own: approve and reject.",
    });
  }

  // A vote names an option by its id or its label, so each of these names must belong to one option only.
  const owner = new Map<string, number>();
  const drafts = options.map((option) => (typeof option === "string" ? { label: option } : option));
  for (const [index, { id, label }] of drafts.entries()) {
    const text = label.trim();
    if (text === "" || text.length > MAX_LABEL) {
      return refuse("invalid", `Option ${index + 1} needs a label of 1 to ${MAX_LABEL} characters.`, {
        hint: "Give every option a short label.",
      });
    }
    if (id !== undefined && !OPTION_ID.test(id)) {
      return refuse("invalid", `"${id}" cannot be the id of an option.`, {
        hint: "Use letters, digits, dots, dashes and underscores, 64 at most, or leave the id out.",
      });
    }
    for (const name of id === undefined ? [text] : [text, id]) {
      const other = owner.get(folded(name));
      if (other !== undefined && other !== index) {
        return refuse("invalid", `Options ${other + 1} and ${index + 1} are both called "${name}".`, {
          hint: "Give every option a different id and label; letter case makes no difference.",
        });
      }
      owner.set(folded(name), index);
    }
  }

  return ok(
    drafts.map(({ id, label, ...consequence }, index) => ({
      id: id ?? idFromLabel(label, index, owner),
      label: label.trim(),
      ...consequence,
    })),
  );
}

function idFromLabel(label: string, index: number, owner: Map<string, number>): string {
  const words =
    label
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const base = Array.from(words.join("-")).slice(0, 60).join("").replace(/-$/, "") || `option-${index + 1}`;
  let id = base;
  for (let n = 2; (owner.get(folded(id)) ?? index) !== index; n += 1) id = `${base}-${n}`;
  owner.set(folded(id), index);
  return id;
}

function folded(text: string): string {
  return text.trim().normalize("NFKC").toLowerCase();
}
