import type { Recorded } from "../connection/daemon-event.ts";

/** What a part of the page shows, and so what makes it ask again. */
export type Topic =
  | "agents"
  | "workspaces"
  | "runs"
  | "ballots"
  | "approvals"
  | "dead"
  | "suggestions"
  | "documents"
  | "personal"
  | "schedules"
  | "souls"
  | "rules"
  | "messages";

const BY_KIND: Readonly<Record<string, readonly Topic[]>> = {
  message: ["messages", "agents"],
  delivery: ["dead", "agents"],
  run: ["runs", "agents"],
  workspace: ["workspaces", "agents", "ballots", "suggestions"],
  status: ["workspaces"],
  agent: ["agents"],
  memory: ["personal"],
  note: ["personal"],
  todo: ["personal"],
  conversation: ["personal"],
  document: ["documents", "workspaces"],
  suggestion: ["suggestions"],
  ballot: ["ballots"],
  schedule: ["schedules"],
  soul: ["souls"],
  rule: ["rules"],
  approval: ["approvals", "runs"],
  budget: ["runs"],
  breaker: ["runs"],
};

/** What an event is about. Of a kind nobody knows here, nothing. */
export function topicsOf({ type }: Pick<Recorded, "type">): readonly Topic[] {
  return BY_KIND[type.slice(0, type.indexOf("."))] ?? [];
}
