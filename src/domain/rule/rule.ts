import { SYSTEM } from "../message/message.ts";
import type { Scope } from "../workflow/scope.ts";

/**
 * A proposal written as data: when something happens in a workspace, another proposal is made. A rule decides nothing
 * and knows no expressions: it compares texts and fills in placeholders, so that what it will do can be read off it.
 */
export type RuleCondition =
  | {
      readonly on: "message";
      readonly from?: string | undefined;
      readonly contains?: string | undefined;
      readonly mentions?: string | undefined;
    }
  | { readonly on: "document"; readonly from?: string | undefined; readonly file?: string | undefined }
  | {
      readonly on: "ballot";
      readonly state?: "resolved" | "rejected" | "expired" | "cancelled" | undefined;
      readonly winner?: string | undefined;
    };

/**
 * A person's rule speaks under a name no agent can have: it is neither the person, whose word is a new beginning, nor
 * the system, which agents trust more than the words a rule passes on.
 */
const RULE_SPEAKER = "rule:";

export function ruleSpeaker(rule: string): string {
  return RULE_SPEAKER + rule;
}

export interface RuleConsequence {
  readonly propose: string;
  /** Input of that proposal; its texts may hold `${{ message.text }}` and the like. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Something that happened, as far as rules can tell. */
export type Happening =
  | {
      readonly on: "message";
      readonly id: string;
      readonly from: string;
      readonly text: string;
      readonly mentions: readonly string[];
    }
  | { readonly on: "document"; readonly file: string; readonly from: string }
  | {
      readonly on: "ballot";
      readonly id: string;
      readonly title: string;
      readonly state: string;
      readonly winner: string | null;
    };

export function matches(condition: RuleCondition, happening: Happening): boolean {
  if (condition.on === "message" && happening.on === "message") {
    const { from, contains, mentions } = condition;
    return (
      // What the system says is about something that happened already.
      happening.from !== SYSTEM &&
      !happening.from.startsWith(RULE_SPEAKER) &&
      (from === undefined || from === happening.from) &&
      (mentions === undefined || happening.mentions.includes(mentions)) &&
      (contains === undefined || happening.text.toLowerCase().includes(contains.toLowerCase()))
    );
  }
  if (condition.on === "document" && happening.on === "document") {
    const { from, file } = condition;
    return (from === undefined || from === happening.from) && (file === undefined || file === happening.file);
  }
  if (condition.on === "ballot" && happening.on === "ballot") {
    const { state, winner } = condition;
    return (state === undefined || state === happening.state) && (winner === undefined || winner === happening.winner);
  }
  return false;
}

const LONGEST_VALUE = 4_000;

/** What the placeholders of a rule's data stand for. */
export function scopeOf(happening: Happening, around: { readonly rule: string; readonly workspace: string }): Scope {
  const { on, ...rest } = happening;
  const values = Object.entries(rest).flatMap(([name, value]) =>
    Array.isArray(value) ? [] : [[`${on}.${name}`, String(value ?? "").slice(0, LONGEST_VALUE)] as const],
  );
  return new Map([...values, ["rule.name", around.rule], ["workspace.name", around.workspace]]);
}

/** A happening of each kind, to try a rule with before it is kept. */
export const SAMPLES: Readonly<Record<RuleCondition["on"], Happening>> = {
  message: { on: "message", id: "msg_0", from: "someone", text: "text", mentions: [] },
  document: { on: "document", file: "notes.md", from: "someone" },
  ballot: { on: "ballot", id: "bal_0", title: "title", state: "resolved", winner: "winner" },
};
