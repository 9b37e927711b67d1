import { parseDocument } from "yaml";
import type { AgentFields, FieldChanges } from "../../ports/definitions.ts";
import { readFields, setFields } from "./yaml-fields.ts";

const PLACES: Readonly<Record<keyof AgentFields, readonly string[]>> = {
  backend: ["backend"],
  model: ["model"],
  system: ["prompt", "system"],
  role: ["soul", "role"],
  style: ["soul", "style"],
  expertise: ["soul", "expertise"],
  principles: ["soul", "principles"],
  maxSteps: ["max_steps"],
  wakeup: ["schedule", "wakeup"],
  wakeupPrompt: ["schedule", "prompt"],
  tokensPerDay: ["budget", "tokens"],
  dollarsPerDay: ["budget", "cost_usd"],
  runsPerDay: ["budget", "turns"],
  timePerRun: ["budget", "wall_time"],
};

export function setAgentFields(text: string, fields: FieldChanges<AgentFields>): string {
  return setFields(text, placesIn(text), fields);
}

/** An older file has its prompt in `system_prompt`. */
function placesIn(text: string): typeof PLACES {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  return document.has("system_prompt") ? { ...PLACES, system: ["system_prompt"] } : PLACES;
}

export function readAgentFields(text: string): AgentFields {
  const { string, number, list } = readFields(text, placesIn(text));
  return {
    backend: string("backend"),
    model: string("model"),
    system: string("system"),
    role: string("role"),
    style: string("style"),
    expertise: list("expertise"),
    principles: list("principles"),
    maxSteps: number("maxSteps"),
    wakeup: string("wakeup"),
    wakeupPrompt: string("wakeupPrompt"),
    tokensPerDay: number("tokensPerDay"),
    dollarsPerDay: number("dollarsPerDay"),
    runsPerDay: number("runsPerDay"),
    timePerRun: string("timePerRun"),
  };
}
