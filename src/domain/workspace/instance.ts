/**
 * A workspace without a folder of its own begins anew with each start: each start is an instance, counted from 1. The
 * current instance, open or closed, has the key of the workspace. When the next one begins, everything of it is moved
 * to a key with its number, `@review:main~1`, and can only be read from then on.
 */
const BEFORE_NUMBER = "~";
const NUMBERED = /^(.*)~([1-9]\d{0,8})$/s;

/** Returns the key of an instance that is no longer the current one. */
export function earlierKey(key: string, instance: number): string {
  return `${key}${BEFORE_NUMBER}${instance}`;
}

/** Returns the key without the number of an earlier instance. */
export function currentKey(key: string): string {
  return splitInstance(key).text;
}

/** Returns the text before the number of an instance, and the number if there is one. No tag contains the separator. */
export function splitInstance(text: string): { readonly text: string; readonly instance?: number } {
  const [, before, number] = NUMBERED.exec(text) ?? [];
  return before === undefined ? { text } : { text: before, instance: Number(number) };
}

/** Returns the name of the folder of an instance that has none of its own choice. */
export function instanceFolder(tag: string, instance: number): string {
  return instance === 1 ? tag : `${tag}${BEFORE_NUMBER}${instance}`;
}
