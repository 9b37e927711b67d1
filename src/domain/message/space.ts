import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { checkAgentName, checkWorkflowName } from "../names.ts";
import { earlierKey, splitInstance } from "../workspace/instance.ts";
import { checkPlaceTag, displayTag } from "../workspace/sub-space.ts";
import type { Space } from "./message.ts";

/**
 * Returns the text form of a space, which is its key: `@review:main` for a workspace, `@review:main~1` for an earlier
 * instance of it, `@review:main/design` for a sub-space, `alice` for direct messages. Names never contain `@`, so every space has exactly one unambiguous text.
 */
export function formatSpace(space: Space): string {
  if (space.kind === "dm") return space.agent;
  const key = `@${space.workflow}:${space.tag}`;
  return space.instance === undefined ? key : earlierKey(key, space.instance);
}

/** Returns the workflow of a space from `formatSpace`; undefined for direct messages. Checks nothing. */
export function workflowOf(space: string): string | undefined {
  return space.startsWith("@") ? space.slice(1, space.indexOf(":")) : undefined;
}

/** For people: the default tag is left out. */
export function displaySpace(space: Space): string {
  if (space.kind === "dm") return space.agent;
  const name = `@${space.workflow}${displayTag(space.tag)}`;
  return space.instance === undefined ? name : earlierKey(name, space.instance);
}

/** The inverse of `formatSpace`. The input of a person is a target: see `target.ts`. */
export function parseSpace(text: string): Result<Space, Refusal> {
  if (!text.startsWith("@")) {
    const agent = checkAgentName(text);
    return agent.ok ? ok({ kind: "dm", agent: text }) : agent;
  }
  const colon = text.indexOf(":");
  if (colon === -1) {
    return refuse("invalid", "The space names a workflow without a tag.", { hint: "Write it as @WORKFLOW:TAG." });
  }
  const workflow = checkWorkflowName(text.slice(1, colon));
  if (!workflow.ok) return workflow;
  const { text: written, ...numbered } = splitInstance(text.slice(colon + 1));
  const tag = checkPlaceTag(written);
  if (!tag.ok) return tag;
  return ok({ kind: "workspace", workflow: workflow.value, tag: tag.value, ...numbered });
}
