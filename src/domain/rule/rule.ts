import { SYSTEM } from "../message/message.ts";
import type { Scope } from "../workflow/scope.ts";

/**
 * A proposal written as data: when an event in a workspace matches the condition, another proposal is made. A rule has no
 * expressions: it compares texts and fills in placeholders, so that its effect can be read from it.
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
 * The sender of a person's rule is a name that no agent can have. It is not the person, whose messages start a new causal
 * tree, and not the system, which agents trust more than text that a rule copies.
 */
export const RULE_SPEAKER = "rule:";

export function ruleSpeaker(rule: string): string {
  return RULE_SPEAKER + rule;
}

export interface RuleConsequence {
  readonly propose: string;
  /** Input of that proposal; its texts may hold `${{ message.text }}` and the like. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The facts of an event that rules can use. */
export type RuleEvent =
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

export function matches(condition: RuleCondition, event: RuleEvent): boolean {
  if (condition.on === "message" && event.on === "message") {
    const { from, contains, mentions } = condition;
    return (
      // A message of the system reports another event.
      event.from !== SYSTEM &&
      !event.from.startsWith(RULE_SPEAKER) &&
      (from === undefined || from === event.from) &&
      (mentions === undefined || event.mentions.includes(mentions)) &&
      (contains === undefined || event.text.toLowerCase().includes(contains.toLowerCase()))
    );
  }
  if (condition.on === "document" && event.on === "document") {
    const { from, file } = condition;
    return (from === undefined || from === event.from) && (file === undefined || file === event.file);
  }
  if (condition.on === "ballot" && event.on === "ballot") {
    const { state, winner } = condition;
    return (state === undefined || state === event.state) && (winner === undefined || winner === event.winner);
  }
  return false;
}

const MAX_VALUE_CHARS = 4_000;

/** Returns the values of the placeholders in a rule's data. */
export function scopeOf(event: RuleEvent, context: { readonly rule: string; readonly workspace: string }): Scope {
  const { on, ...rest } = event;
  const values = Object.entries(rest).flatMap(([name, value]) =>
    Array.isArray(value) ? [] : [[`${on}.${name}`, String(value ?? "").slice(0, MAX_VALUE_CHARS)] as const],
  );
  return new Map([...values, ["rule.name", context.rule], ["workspace.name", context.workspace]]);
}

/** A sample of each kind of event, to check a rule before it is stored. */
export const SAMPLES: Readonly<Record<RuleCondition["on"], RuleEvent>> = {
  message: { on: "message", id: "msg_0", from: "someone", text: "text", mentions: [] },
  document: { on: "document", file: "notes.md", from: "someone" },
  ballot: { on: "ballot", id: "bal_0", title: "title", state: "resolved", winner: "winner" },
};
