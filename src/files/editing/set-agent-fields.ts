import { isMap, parseDocument } from "yaml";
import type { AgentFieldChanges, AgentFields } from "../../ports/definitions.ts";

/** Where each field of a form is in the file of an agent. */
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
};

/**
 * Returns the text of an agent's file with these fields. Null takes a field away, with what is empty then. The rest of
 * the file, with its comments, stays.
 */
export function setAgentFields(text: string, fields: AgentFieldChanges): string {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  if (!isMap(document.contents)) return text;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const place = placeOf(document.has("system_prompt"), name as keyof AgentFields);
    const [parent = ""] = place;
    const clears = value === null || (Array.isArray(value) && value.length === 0);
    if (clears) document.deleteIn(place);
    else if (JSON.stringify(document.getIn(place)) !== JSON.stringify(value)) {
      if (place.length > 1 && !isMap(document.get(parent))) document.set(parent, document.createNode({}));
      document.setIn(place, document.createNode(value));
    }
    const left = document.get(parent);
    if (clears && isMap(left) && left.items.length === 0) document.delete(parent);
  }
  return keepLines(text, document.toString({ lineWidth: 0 }));
}

/** Writing adds spaces inside brackets. A line that differs only by them stays as it was, unless that says something else. */
function keepLines(before: string, after: string): string {
  const known = new Map(before.split("\n").map((line) => [withoutPadding(line), line]));
  const kept = after
    .split("\n")
    .map((line) => known.get(withoutPadding(line)) ?? line)
    .join("\n");
  const meaning = (text: string): string => JSON.stringify(parseDocument(text, { schema: "core" }).toJS());
  return meaning(kept) === meaning(after) ? kept : after;
}

function withoutPadding(line: string): string {
  return line.replaceAll(/([[{]) +/g, "$1").replaceAll(/ +([\]}])/g, "$1");
}

/** An older file has its prompt in `system_prompt`. */
function placeOf(isOlder: boolean, field: keyof AgentFields): readonly string[] {
  return isOlder && field === "system" ? ["system_prompt"] : PLACES[field];
}

/** Returns the fields of a form as a file of an agent has them; what it does not have, or has in another shape, is null. */
export function readAgentFields(text: string): AgentFields {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  const plain: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const at = (field: keyof AgentFields): unknown =>
    placeOf(document.has("system_prompt"), field).reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      plain,
    );
  const string = (field: keyof AgentFields): string | null => {
    const value = at(field);
    return typeof value === "string" ? value : null;
  };
  const number = (field: keyof AgentFields): number | null => {
    const value = at(field);
    return typeof value === "number" ? value : null;
  };
  const list = (field: keyof AgentFields): readonly string[] | null => {
    const value = at(field);
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : null;
  };
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
  };
}
