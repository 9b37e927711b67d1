import type { Recorded } from "../connection/daemon-event.ts";

/** What a component shows. An event about a topic makes its components load again. */
export const TOPICS = [
  "agents",
  "workspaces",
  "runs",
  "ballots",
  "approvals",
  "dead",
  "suggestions",
  "documents",
  "personal",
  "schedules",
  "souls",
  "questions",
  "rules",
  "messages",
] as const;
export type Topic = (typeof TOPICS)[number];

const BY_KIND: Readonly<Record<string, readonly Topic[]>> = {
  message: ["messages", "agents"],
  delivery: ["dead", "agents"],
  run: ["runs", "agents"],
  workspace: ["workspaces", "agents", "ballots", "suggestions"],
  status: ["workspaces"],
  role: ["workspaces"],
  agent: ["agents"],
  definitions: ["agents", "workspaces", "schedules"],
  memory: ["personal"],
  note: ["personal"],
  todo: ["personal"],
  conversation: ["personal"],
  document: ["documents", "workspaces"],
  suggestion: ["suggestions"],
  ballot: ["ballots"],
  schedule: ["schedules"],
  soul: ["souls"],
  grant: ["agents", "workspaces"],
  tidying: ["personal", "questions"],
  rule: ["rules"],
  approval: ["approvals", "runs", "agents"],
  budget: ["runs"],
  breaker: ["runs"],
};

/** Returns the topics of an event; none for an unknown kind. */
export function topicsOf({ type }: Pick<Recorded, "type">): readonly Topic[] {
  return BY_KIND[type.slice(0, type.indexOf("."))] ?? [];
}
