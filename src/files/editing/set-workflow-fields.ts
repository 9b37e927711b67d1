import type { FieldChanges, WorkflowFields } from "../../ports/definitions.ts";
import { readFields, setFields } from "./yaml-fields.ts";

const PLACES: Readonly<Record<keyof WorkflowFields, readonly string[]>> = {
  kickoff: ["kickoff"],
  documentOwner: ["workspace", "documentOwner"],
  turns: ["budget", "turns"],
  tokens: ["budget", "tokens"],
  dollars: ["budget", "cost_usd"],
  hops: ["budget", "hops"],
  wallTime: ["budget", "wall_time"],
};

export function setWorkflowFields(text: string, fields: FieldChanges<WorkflowFields>): string {
  return setFields(text, PLACES, fields);
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
  };
}
