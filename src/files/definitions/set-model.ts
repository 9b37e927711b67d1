import { isMap, isScalar, parseDocument } from "yaml";

/** Returns the text of an agent's file with another model. Everything else stays as it was written. */
export function setModel(text: string, model: string): string | undefined {
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false });
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents) || contents.flow === true) return undefined;
  const pairAt = (name: string) => contents.items.find(({ key }) => isScalar(key) && key.value === name);
  const written = quoted(model);
  const { value } = pairAt("model") ?? {};
  if (isScalar(value) && value.range != null) {
    const [start, end] = value.range;
    return `${text.slice(0, start)}${start === end ? " " : ""}${written}${text.slice(end)}`;
  }
  if (value !== undefined) return undefined;
  const after = (pairAt("backend") ?? pairAt("name"))?.value;
  const at = isScalar(after) ? (after.range?.[1] ?? 0) : 0;
  const line = at === 0 ? 0 : text.indexOf("\n", at) + 1;
  if (at > 0 && line === 0) return `${text}\nmodel: ${written}\n`;
  return `${text.slice(0, line)}model: ${written}\n${text.slice(line)}`;
}

/** Names of models may have characters that mean something in YAML. */
function quoted(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
