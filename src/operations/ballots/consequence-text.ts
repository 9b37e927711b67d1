import { setDocumentOwner } from "../../contract/documents.ts";
import { sendMessage } from "../../contract/messages.ts";
import { closeWorkspace, setRole } from "../../contract/workspaces.ts";
import type { BallotConsequence } from "../../domain/ballot/ballot.ts";

/** Returns what follows from an option, in words. */
export function consequenceText({ propose, data }: BallotConsequence): string {
  const [owner, agent, role, to] = ["owner", "agent", "role", "to"].map((key) => textIn(data, key));
  switch (propose) {
    case setDocumentOwner.name:
      return owner === undefined ? "every participant writes the documents" : `${owner} owns the documents`;
    case setRole.name:
      return role === undefined ? `${agent} has no role` : `${agent} becomes ${role}`;
    case sendMessage.name:
      return `a message to ${to}`;
    case closeWorkspace.name:
      return "the workspace closes";
    default:
      return propose;
  }
}

/** Returns the participant that a consequence is about, if no message of the consequence wakes it. */
export function concernedBy({ propose, data }: BallotConsequence): string | undefined {
  if (propose === setDocumentOwner.name) return textIn(data, "owner");
  return propose === setRole.name ? textIn(data, "agent") : undefined;
}

/** After it nobody can be woken in the workspace. */
export function closesWorkspace({ propose }: BallotConsequence): boolean {
  return propose === closeWorkspace.name;
}

function textIn(data: unknown, key: string): string | undefined {
  const value: unknown = typeof data === "object" && data !== null ? Reflect.get(data, key) : undefined;
  return typeof value === "string" ? value : undefined;
}
