import { isMap, isScalar, type Document } from "yaml";
import type { MemberFields } from "../../ports/definitions.ts";
import { setPlaces, type FieldPlaces } from "./yaml-fields.ts";

const MEMBERS = "agents";

/** Returns the participants in the file of a workflow. One that is only a name is the agent of that name. */
export function readMembers(document: Document): readonly MemberFields[] {
  const members = document.get(MEMBERS);
  if (!isMap(members)) return [];
  return members.items.flatMap(({ key }) => {
    const name = isScalar(key) ? String(key.value) : undefined;
    return name === undefined ? [] : [readMember(document, name)];
  });
}

function readMember(document: Document, name: string): MemberFields {
  const whole = document.getIn([MEMBERS, name]);
  if (typeof whole === "string") return { ...NOTHING, name, ref: whole };
  const text = (...place: readonly string[]): string | null => {
    const value = isMap(whole) ? document.getIn([MEMBERS, name, ...place]) : undefined;
    return typeof value === "string" ? value : null;
  };
  const ref = text("ref");
  const prompt = ref === null ? (text("system_prompt") ?? text("prompt", "system")) : text("prompt", "append");
  return { name, ref, prompt, backend: text("backend"), model: text("model") };
}

const NOTHING = { ref: null, prompt: null, backend: null, model: null } as const;

/** Makes these the participants. What the file says of one besides these fields stays. */
export function setMembers(document: Document, members: readonly MemberFields[]): void {
  const before = new Map(readMembers(document).map((member) => [member.name, member]));
  const named = new Set(members.map(({ name }) => name));
  for (const name of before.keys()) if (!named.has(name)) document.deleteIn([MEMBERS, name]);
  if (!isMap(document.get(MEMBERS))) document.set(MEMBERS, document.createNode({}));
  for (const member of members) setMember(document, member, before.get(member.name));
}

function setMember(document: Document, member: MemberFields, before: MemberFields | undefined): void {
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(member)) return;
  const place = [MEMBERS, member.name];
  if (before === undefined) {
    // A participant that is an agent of the project and no more is one short line.
    const isShort = member.ref !== null && member.prompt === null;
    document.setIn(place, document.createNode({}, { flow: isShort }));
  } else if (!isMap(document.getIn(place))) document.setIn(place, document.createNode({ ref: before.ref }));
  if (before !== undefined && (before.ref === null) !== (member.ref === null)) {
    for (const key of ["prompt", "system_prompt"]) document.deleteIn([...place, key]);
  }
  const { name: _name, ...fields } = member;
  setPlaces(document, place, placesOf(document, member), fields);
}

function placesOf(document: Document, { name, ref }: MemberFields): FieldPlaces {
  const isOld = document.hasIn([MEMBERS, name, "system_prompt"]);
  const prompt = ref === null ? (isOld ? ["system_prompt"] : ["prompt", "system"]) : ["prompt", "append"];
  return { ref: ["ref"], backend: ["backend"], model: ["model"], prompt };
}
