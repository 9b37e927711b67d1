import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/** The consequences that have a name. Each is about one participant: the one that the option names, unless it says another. */
const NAMED_CONSEQUENCES = ["document-owner", "role", "assign"] as const;

interface NamedConsequence {
  readonly name: (typeof NAMED_CONSEQUENCES)[number];
  /** Absent: the participant that the option names. */
  readonly agent?: string;
  /** The role, or the task. */
  readonly text: string;
}

/** How each is written, for hints and help. */
export const CONSEQUENCE_FORMS = "document-owner, role: ROLE or assign: TASK";

const MAX_ROLE = 200;
const MAX_TASK = 4000;
const FORM = /^([\w-]+)(?:\s+([\w-]+))?\s*(?::\s*(.*))?$/su;

/** Reads `document-owner`, `role: lead`, or with a participant of its own: `assign bob: Fix the login`. */
export function parseConsequence(written: string): Result<NamedConsequence, Refusal> {
  const [, first = "", agent, rest] = FORM.exec(written.trim()) ?? [];
  const name = NAMED_CONSEQUENCES.find((each) => each === first);
  if (name === undefined) {
    return refuse("invalid", `"${written.slice(0, 64)}" is not what a ballot can lead to.`, {
      hint: `${hintForUnknown(first, NAMED_CONSEQUENCES, "consequences")} Write ${CONSEQUENCE_FORMS}.`,
    });
  }
  const text = (rest ?? "").trim();
  const needsText = name !== "document-owner";
  const longest = name === "role" ? MAX_ROLE : MAX_TASK;
  if (needsText === (text === "") || text.length > longest || (name === "role" && /[\r\n]/u.test(text))) {
    const form = name === "role" ? "role: ROLE" : name === "assign" ? "assign: TASK" : "document-owner";
    return refuse("invalid", `"${written.slice(0, 64)}" is not complete, or too long.`, {
      hint: `Write "${form}"${needsText ? ` with 1 to ${longest} characters` : ""}, or a participant before the colon.`,
    });
  }
  return ok({ name, ...(agent === undefined ? {} : { agent }), text });
}

/** True when the text begins like a consequence, so that a label with `=` in it stays a label. */
export function startsAsConsequence(written: string): boolean {
  const [first = ""] = /^[\w-]+/u.exec(written.trim()) ?? [];
  return NAMED_CONSEQUENCES.some((name) => name === first);
}
