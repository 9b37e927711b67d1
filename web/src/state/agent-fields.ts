import type { AgentFieldsView } from "../../../src/contract/project/definition-files.ts";

/** The fields of the form of an agent, as a person sees them. A list has one entry per line. */
export interface AgentField {
  readonly name: keyof AgentFieldsView;
  readonly label: string;
  readonly hint: string;
  readonly kind: "line" | "text" | "lines" | "number";
}

export const AGENT_FIELDS: readonly AgentField[] = [
  { name: "system", label: "System prompt", hint: "What it does and how", kind: "text" },
  { name: "model", label: "Model", hint: "provider/model, or auto", kind: "line" },
  { name: "backend", label: "Engine", hint: "sdk, claude, codex, mock, …; sdk unless you say otherwise", kind: "line" },
  { name: "role", label: "Role", hint: "Its soul: who it is", kind: "line" },
  { name: "style", label: "Style", hint: "Its soul: how it speaks", kind: "line" },
  { name: "expertise", label: "Expertise", hint: "Its soul: one per line", kind: "lines" },
  { name: "principles", label: "Principles", hint: "Its soul: one per line", kind: "lines" },
  { name: "wakeup", label: "Wakes by itself", hint: "5m, or 0 9 * * 1-5", kind: "line" },
  { name: "wakeupPrompt", label: "What it is told then", hint: "", kind: "line" },
  { name: "maxSteps", label: "Steps of a run at most", hint: "Model calls", kind: "number" },
  { name: "tokensPerDay", label: "Budget: tokens a day", hint: "It stops there, and says so", kind: "number" },
  {
    name: "dollarsPerDay",
    label: "Budget: dollars a day",
    hint: "It stops there, as far as cost is known",
    kind: "number",
  },
];

export type FieldTexts = Readonly<Record<keyof AgentFieldsView, string>>;

export function textOf(fields: AgentFieldsView): FieldTexts {
  const texts = AGENT_FIELDS.map(({ name }): [string, string] => {
    const value = fields[name];
    return [name, value === null ? "" : Array.isArray(value) ? value.join("\n") : String(value)];
  });
  return Object.fromEntries(texts) as Record<keyof AgentFieldsView, string>;
}

/** Returns what is different from the file. An empty field takes its line away. */
export function changedFields(fields: AgentFieldsView, texts: FieldTexts): Partial<AgentFieldsView> {
  const before = textOf(fields);
  return Object.fromEntries(
    AGENT_FIELDS.filter(({ name }) => texts[name] !== before[name]).map(({ name, kind }) => [
      name,
      valueOf(texts[name], kind),
    ]),
  );
}

function valueOf(text: string, kind: AgentField["kind"]): string | number | readonly string[] | null {
  if (text.trim() === "") return null;
  if (kind === "number") return Number(text);
  if (kind !== "lines") return kind === "text" ? text : text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
