/**
 * PostgreSQL cannot store the character 0 in a text. It is written as a character that Unicode never assigns, followed
 * by a digit; so is that character itself.
 */
const MARK = "\ufdd0";

export function toStoredText(text: string): string {
  if (!text.includes("\0") && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

export function fromStoredText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}
