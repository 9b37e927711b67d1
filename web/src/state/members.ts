import type { MemberFieldsView } from "../../../src/contract/project/definition-files.ts";

/** A member while it is edited. `isNew`: the file does not have it yet, so its name can be chosen. */
export interface EditedMember extends MemberFieldsView {
  readonly key: number;
  readonly isNew: boolean;
}

export function editedMembers(members: readonly MemberFieldsView[]): readonly EditedMember[] {
  return members.map((member, key) => ({ ...member, key, isNew: false }));
}

/** Returns one more member: the first agent that does not take part yet, or else one of its own. */
export function withNewMember(members: readonly EditedMember[], agents: readonly string[]): readonly EditedMember[] {
  const taken = new Set(members.flatMap(({ name, ref }) => [name, ref]));
  const agent = agents.find((each) => !taken.has(each)) ?? null;
  const key = 1 + Math.max(-1, ...members.map((each) => each.key));
  const name = agent ?? "";
  return [...members, { key, isNew: true, name, ref: agent, prompt: null, backend: null, model: null }];
}

/** Returns what the file is to have. Empty fields are none. */
export function membersToWrite(members: readonly EditedMember[]): readonly MemberFieldsView[] {
  return members.map(({ name, ref, prompt, backend, model }) => ({
    name: name.trim(),
    ref: filled(ref),
    prompt: prompt === null || prompt.trim() === "" ? null : prompt,
    backend: filled(backend),
    model: filled(model),
  }));
}

function filled(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text.trim();
}

/** Says what keeps the list from being written; null when nothing does. */
export function memberProblem(members: readonly EditedMember[]): string | null {
  const names = members.map(({ name }) => name.trim());
  const twice = names.find((name, at) => name !== "" && names.indexOf(name) !== at);
  if (twice !== undefined) return `Two members are called ${twice}.`;
  if (names.includes("")) return "A member needs a name.";
  const silent = members.find(({ ref, prompt }) => ref === null && (prompt ?? "").trim() === "");
  return silent === undefined ? null : `${silent.name} needs a prompt, or an agent of the project that it is.`;
}
