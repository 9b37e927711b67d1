import { isMap, parseDocument, type Document } from "yaml";

/** What a field of a form has. Null: the file does not have it, or it is to be taken away. */
export type FieldValue = string | number | readonly string[] | null;

/** Where each field of a form is in a file. */
export type FieldPlaces = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the text of a YAML file with these fields. Null takes a field away, with what is empty then. The rest of the
 * file, with its comments, stays.
 */
export function setFields(
  text: string,
  places: FieldPlaces,
  fields: Readonly<Record<string, FieldValue | undefined>>,
): string {
  return editText(text, (document) => setPlaces(document, [], places, fields));
}

/** Returns the text of a YAML file after a change of its document. Lines that say the same stay as they were. */
export function editText(text: string, edit: (document: Document) => void): string {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  if (!isMap(document.contents)) return text;
  edit(document);
  return keepLines(text, document.toString({ lineWidth: 0 }));
}

/** `inside`: the place of the map that has the fields. */
export function setPlaces(
  document: Document,
  inside: readonly string[],
  places: FieldPlaces,
  fields: Readonly<Record<string, FieldValue | undefined>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const place = places[name];
    if (value === undefined || place === undefined) continue;
    const whole = [...inside, ...place];
    const parent = [...inside, ...place.slice(0, 1)];
    const clears = value === null || (Array.isArray(value) && value.length === 0);
    if (clears && !document.hasIn(whole)) continue;
    if (clears) document.deleteIn(whole);
    else if (JSON.stringify(document.getIn(whole)) !== JSON.stringify(value)) {
      if (place.length > 1 && !isMap(document.getIn(parent))) document.setIn(parent, document.createNode({}));
      document.setIn(whole, document.createNode(value));
    }
    const left = document.getIn(parent);
    if (clears && isMap(left) && left.items.length === 0) document.deleteIn(parent);
  }
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

/** The fields of a YAML file by their names; what it does not have, or has in another shape, is null. */
export interface FieldReads<Name extends string> {
  string(field: Name): string | null;
  number(field: Name): number | null;
  list(field: Name): readonly string[] | null;
}

export function readFields<Name extends string>(
  text: string,
  places: Readonly<Record<Name, readonly string[]>>,
): FieldReads<Name> {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  const plain: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const at = (field: Name): unknown =>
    places[field].reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      plain,
    );
  return {
    string(field) {
      const value = at(field);
      return typeof value === "string" ? value : null;
    },
    number(field) {
      const value = at(field);
      return typeof value === "number" ? value : null;
    },
    list(field) {
      const value = at(field);
      return Array.isArray(value) ? value.filter((each) => typeof each === "string") : null;
    },
  };
}
