/**
 * What editors can know of values that the loader checks with its own words: patterns for the JSON Schemas only. They
 * refuse nothing that the loader accepts.
 */
const anyCase = (word: string): string =>
  [...word].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`).join("");
const NAME = "[a-zA-Z][a-zA-Z0-9_-]*$";
const DURATION = String.raw`(?=.*\d)(?:[\d.]+d)?\s*(?:[\d.]+h)?\s*(?:[\d.]+m)?\s*(?:[\d.]+s)?\s*(?:[\d.]+ms)?`;

export const AGENT_NAME = `^(?!(?:${["user", "system", "all", "global"].map(anyCase).join("|")})$)${NAME}`;
export const WORKFLOW_NAME = `^(?!${anyCase("global")}$)${NAME}`;
export const DURATION_TEXT = String.raw`^\s*${DURATION}\s*$`;
/** A duration, a nickname such as @daily, or a cron expression. */
export const WAKEUP_TEXT = String.raw`^\s*(?:${DURATION}|@\w+|(?:\S+\s+){4,6}\S+)\s*$`;
export const VARIABLE_REFERENCE = String.raw`^\$`;
/** Neither absolute nor above the project. */
export const INNER_PATH = String.raw`^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))`;
export const FILE_NAME = String.raw`^[^\/\\]+$`;
export const OUTPUT_NAME = String.raw`^(?!instance$)[a-zA-Z_][\w-]{0,63}$`;
