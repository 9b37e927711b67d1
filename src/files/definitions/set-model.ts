/** A key at the beginning of a line is a key of the file itself: everything inside it is indented. */
const MODEL_LINE =
  /^(model:)[ \t]*(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|[^\s'"{[|>&*!#][^\n#]*?)?([ \t]*(?:[ \t]#[^\n]*)?\r?)$/m;
const OTHER_MODEL = /^["']?model["']?[ \t]*:/m;
const PLACE = [/^backend:[^\n]*(?:\n|$)/m, /^name:[^\n]*(?:\n|$)/m];

/**
 * Returns the text of an agent's file with another model. Everything else stays as it was written. Undefined when the
 * model is not written on a line of its own. Whether the text is right is for whoever stores it to check.
 */
export function setModel(text: string, model: string): string | undefined {
  const written = quoted(model);
  if (MODEL_LINE.test(text)) return text.replace(MODEL_LINE, (_, key, rest) => `${key} ${written}${rest}`);
  if (OTHER_MODEL.test(text) || /^\s*\{/.test(text)) return undefined;
  const before = PLACE.map((place) => place.exec(text)).find((found) => found !== null);
  if (before === undefined) return `model: ${written}\n${text}`;
  const at = before.index + before[0].length;
  const gap = before[0].endsWith("\n") ? "" : "\n";
  return `${text.slice(0, at)}${gap}model: ${written}\n${text.slice(at)}`;
}

/** Names of models may have characters that mean something in YAML. */
function quoted(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
