import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { checkSpaceName, checkTag, DEFAULT_TAG } from "../names.ts";
import { splitInstance } from "./instance.ts";

/**
 * A sub-space belongs to a workspace and has a channel of its own. Its name follows the tag, after a slash:
 * `@review:main/design`. No tag contains a slash, and sub-spaces have none of their own.
 */
const BEFORE_NAME = "/";

export function subSpaceTag(tag: string, name: string): string {
  return `${tag}${BEFORE_NAME}${name}`;
}

export function isSubSpace(key: string): boolean {
  return key.startsWith("@") && key.includes(BEFORE_NAME);
}

/** Returns the tag of the workspace, and the name of the sub-space if it is one. */
export function splitTag(tag: string): { readonly tag: string; readonly name?: string } {
  const at = tag.indexOf(BEFORE_NAME);
  return at === -1 ? { tag } : { tag: tag.slice(0, at), name: tag.slice(at + 1) };
}

/** Returns the key of the workspace that a space belongs to; any other key as it is. */
export function workspaceOf(key: string): string {
  if (!isSubSpace(key)) return key;
  const { text } = splitInstance(key);
  return text.slice(0, text.indexOf(BEFORE_NAME)) + key.slice(text.length);
}

/** Accepts a tag, or a tag with the name of a sub-space. */
export function checkPlaceTag(text: string): Result<string, Refusal> {
  const { tag: written, name } = splitTag(text);
  const tag = checkTag(written);
  if (!tag.ok || name === undefined) return tag;
  const checked = checkSpaceName(name);
  return checked.ok ? ok(text) : checked;
}

/** For people, after the name of the workflow: without the default tag. */
export function displayTag(text: string): string {
  const { tag, name } = splitTag(text);
  return `${tag === DEFAULT_TAG ? "" : `:${tag}`}${name === undefined ? "" : BEFORE_NAME + name}`;
}

/** There is no such sub-space, or it is closed. */
export function refuseSubSpace(workflow: string, text: string): Result<never, Refusal> {
  const { tag, name = "" } = splitTag(text);
  const workspace = `@${workflow}${displayTag(tag)}`;
  return refuse("not_running", `There is no open space "${name}" in ${workspace}.`, {
    hint: `See which there are: agent-worker ls ${workspace}`,
    details: { workflow, tag: text },
  });
}
