import type { GrantView } from "../../contract/spaces/grants.ts";

/** A granted tool on one line: who gave it if that was an agent, and whether it may be handed on. */
export function grantText({ tool, handOn, by }: Pick<GrantView, "tool" | "handOn" | "by">): string {
  const facts = [by === "user" ? "" : `from ${by}`, handOn ? "may hand it on" : ""].filter((fact) => fact !== "");
  return facts.length === 0 ? tool : `${tool} (${facts.join(", ")})`;
}
