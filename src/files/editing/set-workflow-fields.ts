import { parseDocument } from "yaml";
import type { FieldChanges, WorkflowFields } from "../../ports/definitions.ts";
import { readMembers, setMembers } from "./set-members.ts";
import { editText, readFields, setPlaces } from "./yaml-fields.ts";

const PLACES: Readonly<Record<keyof Omit<WorkflowFields, "members">, readonly string[]>> = {
  kickoff: ["kickoff"],
  documentOwner: ["workspace", "documentOwner"],
  turns: ["budget", "turns"],
  tokens: ["budget", "tokens"],
  dollars: ["budget", "cost_usd"],
  hops: ["budget", "hops"],
  wallTime: ["budget", "wall_time"],
};

export function setWorkflowFields(text: string, { members, ...fields }: FieldChanges<WorkflowFields>): string {
  return editText(text, (document) => {
    setPlaces(document, [], PLACES, fields);
    if (members !== undefined) setMembers(document, members);
  });
}

export function readWorkflowFields(text: string): WorkflowFields {
  const { string, number } = readFields(text, PLACES);
  return {
    kickoff: string("kickoff"),
    documentOwner: string("documentOwner"),
    turns: number("turns"),
    tokens: number("tokens"),
    dollars: number("dollars"),
    hops: number("hops"),
    wallTime: string("wallTime"),
    members: readMembers(parseDocument(text, { schema: "core", merge: false, uniqueKeys: false })),
  };
}
