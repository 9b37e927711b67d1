import type {
  AgentFieldsView,
  MemberFieldsView,
  WorkflowFieldsView,
} from "../../../src/contract/project/definition-files.ts";

/** What can be edited with a form: its operation, and its fields as a person sees them. */
export interface FormKind {
  readonly operation: "draft-agent-file" | "draft-workflow-file";
  readonly groups: readonly FieldGroup[];
}

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly FormField[];
}

/** A list has one entry per line. A member is chosen among those who take part. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly kind: "line" | "text" | "lines" | "number" | "count" | "member";
}

/** Keeps the names of fields those of the contract. */
interface Named<View> extends FormField {
  readonly name: keyof View & string;
}

const WHAT_IT_DOES: readonly Named<AgentFieldsView>[] = [
  { name: "system", label: "System prompt", hint: "What it does and how", kind: "text" },
  { name: "model", label: "Model", hint: "provider/model, or auto", kind: "line" },
  { name: "backend", label: "Engine", hint: "sdk, claude, codex, mock, …; sdk unless you say otherwise", kind: "line" },
];
const WHO_IT_IS: readonly Named<AgentFieldsView>[] = [
  { name: "role", label: "Role", hint: "Who it is", kind: "line" },
  { name: "style", label: "Style", hint: "How it speaks", kind: "line" },
  { name: "expertise", label: "Expertise", hint: "One per line", kind: "lines" },
  { name: "principles", label: "Principles", hint: "One per line", kind: "lines" },
];
const WHEN_IT_WAKES: readonly Named<AgentFieldsView>[] = [
  { name: "wakeup", label: "Wakes by itself", hint: "5m, or 0 9 * * 1-5", kind: "line" },
  { name: "wakeupPrompt", label: "What it is told then", hint: "", kind: "line" },
];
const AGENT_LIMITS: readonly Named<AgentFieldsView>[] = [
  { name: "maxSteps", label: "Steps of a run at most", hint: "Model calls", kind: "count" },
  { name: "timePerRun", label: "Budget: time of a run", hint: "30m, or 2h", kind: "line" },
  { name: "runsPerDay", label: "Budget: runs a day", hint: "It stops there, and says so", kind: "count" },
  { name: "tokensPerDay", label: "Budget: tokens a day", hint: "It stops there, and says so", kind: "count" },
  {
    name: "dollarsPerDay",
    label: "Budget: dollars a day",
    hint: "It stops there, as far as cost is known",
    kind: "number",
  },
];
const HOW_IT_BEGINS: readonly Named<WorkflowFieldsView>[] = [
  { name: "kickoff", label: "Kickoff", hint: "The first message. @name wakes an agent.", kind: "text" },
  {
    name: "documentOwner",
    label: "Who writes the documents",
    hint: "The others suggest what they would write",
    kind: "member",
  },
];
const WORKFLOW_LIMITS: readonly Named<WorkflowFieldsView>[] = [
  { name: "turns", label: "Budget: runs", hint: "From start to stop", kind: "count" },
  { name: "tokens", label: "Budget: tokens", hint: "From start to stop", kind: "count" },
  { name: "dollars", label: "Budget: dollars", hint: "As far as cost is known", kind: "number" },
  { name: "hops", label: "Budget: messages in a row", hint: "How far one message may lead", kind: "count" },
  { name: "wallTime", label: "Budget: time at work", hint: "30m, or 2h", kind: "line" },
];

export const AGENT_FORM: FormKind = {
  operation: "draft-agent-file",
  groups: [
    { title: "What it does", fields: WHAT_IT_DOES },
    { title: "Its soul", fields: WHO_IT_IS },
    { title: "Schedule", fields: WHEN_IT_WAKES },
    { title: "Limits", fields: AGENT_LIMITS },
  ],
};
export const WORKFLOW_FORM: FormKind = {
  operation: "draft-workflow-file",
  groups: [
    { title: "How it begins", fields: HOW_IT_BEGINS },
    { title: "Limits", fields: WORKFLOW_LIMITS },
  ],
};

/** The fields of a file by their names, of whichever kind. A workflow has members besides. */
export type FieldValues = Readonly<Record<string, FieldValue>>;
type FieldValue = string | number | readonly string[] | readonly MemberFieldsView[] | null;
export type FieldTexts = Readonly<Record<string, string>>;

export function textsOf(form: FormKind, values: FieldValues): FieldTexts {
  return Object.fromEntries(
    fieldsOf(form).map(({ name }): [string, string] => {
      const value = values[name] ?? null;
      if (typeof value !== "object") return [name, String(value)];
      return [name, (value ?? []).filter((each) => typeof each === "string").join("\n")];
    }),
  );
}

/** Returns the members of a workflow as the file has them; undefined for an agent. */
export function membersOf(values: FieldValues): readonly MemberFieldsView[] | undefined {
  const { members } = values;
  return Array.isArray(members) ? (members as readonly MemberFieldsView[]) : undefined;
}

/** Returns what is different from the file. An empty field takes its line away. */
export function changedFields(form: FormKind, values: FieldValues, texts: FieldTexts): FieldValues {
  const before = textsOf(form, values);
  return Object.fromEntries(
    fieldsOf(form)
      .filter(({ name }) => texts[name] !== before[name])
      .map(({ name, kind }) => [name, valueOf(texts[name] ?? "", kind)]),
  );
}

function fieldsOf({ groups }: FormKind): readonly FormField[] {
  return groups.flatMap(({ fields }) => fields);
}

function valueOf(text: string, kind: FormField["kind"]): FieldValue {
  if (text.trim() === "") return null;
  if (kind === "number" || kind === "count") return Number(text);
  if (kind !== "lines") return kind === "text" ? text : text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
