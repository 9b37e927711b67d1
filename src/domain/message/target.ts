import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { DEFAULT_TAG, NO_WORKSPACE, checkAgentName, checkWorkflowName, nameKey } from "../names.ts";
import { earlierKey, splitInstance } from "../workspace/instance.ts";
import { checkPlaceTag, displayTag, splitTag, subSpaceTag } from "../workspace/sub-space.ts";
import type { Space } from "./message.ts";

/** A workspace as a target names it. With the number of an earlier instance it can only be read. */
interface TargetPlace {
  readonly workflow: string;
  readonly tag: string;
  readonly instance?: number;
}

/** Where a message goes, as a person or an agent writes it. */
export type Target =
  | { readonly kind: "dm"; readonly agent: string }
  | ({ readonly kind: "agent"; readonly agent: string } & TargetPlace)
  | ({ readonly kind: "channel" } & TargetPlace);

const FORMS = "Targets look like alice, alice@review, alice@review:pr-1, @review or @review:pr-1.";

export function parseTarget(text: string): Result<Target, Refusal> {
  if (text.trim() === "") return refuse("invalid", "The target is empty.", { hint: FORMS });
  if (/\s/u.test(text)) {
    return refuse("invalid", "The target contains a space.", { hint: `Quote the message, not the target. ${FORMS}` });
  }
  const at = text.indexOf("@");
  if (at === -1) return parseDirect(text);

  const agent = text.slice(0, at);
  if (agent !== "") {
    const checked = checkAgentName(agent);
    if (!checked.ok) return withForms(checked.error);
  }
  const place = parsePlace(text.slice(at + 1));
  if (!place.ok) return place;
  if (place.value !== null) {
    return ok(agent === "" ? { kind: "channel", ...place.value } : { kind: "agent", agent, ...place.value });
  }
  if (agent !== "") return ok({ kind: "dm", agent });
  return refuse("invalid", `There is no ${NO_WORKSPACE} channel.`, {
    hint: "Send to a workflow with @NAME, or to an agent by its name.",
  });
}

/** For people: `@global` and `:main` are left out. `parseTarget` returns the same target again. */
export function formatTarget(target: Target): string {
  if (target.kind === "dm") return target.agent;
  const place = `${target.kind === "agent" ? target.agent : ""}@${target.workflow}${displayTag(target.tag)}`;
  return target.instance === undefined ? place : earlierKey(place, target.instance);
}

export function targetSpace(target: Target): Space {
  if (target.kind === "dm") return { kind: "dm", agent: target.agent };
  const { workflow, tag, instance } = target;
  return { kind: "workspace", workflow, tag, ...(instance === undefined ? {} : { instance }) };
}

function parseDirect(text: string): Result<Target, Refusal> {
  const colon = text.indexOf(":");
  if (colon !== -1) {
    return refuse("invalid", "The target has a tag but no workflow.", {
      hint: `Put the workflow before the tag, as in alice@review:pr-1. ${FORMS}`,
    });
  }
  const agent = checkAgentName(text);
  return agent.ok ? ok({ kind: "dm", agent: text }) : withForms(agent.error);
}

/** The part after the `@`; null for "no workspace". */
function parsePlace(written: string): Result<TargetPlace | null, Refusal> {
  const { text, ...numbered } = splitInstance(written);
  const colon = text.indexOf(":");
  const { tag: workflow, name } = colon === -1 ? splitTag(text) : { tag: text.slice(0, colon) };
  const ofMain = name === undefined ? DEFAULT_TAG : subSpaceTag(DEFAULT_TAG, name);
  const tag = checkPlaceTag(colon === -1 ? ofMain : text.slice(colon + 1));
  if (!tag.ok) return withForms(tag.error);
  if (nameKey(workflow) === NO_WORKSPACE) {
    if (tag.value === DEFAULT_TAG) return ok(null);
    return refuse("invalid", `Direct messages have no tag, but the target says "${tag.value}".`, { hint: FORMS });
  }
  const checked = checkWorkflowName(workflow);
  if (!checked.ok) return withForms(checked.error);
  return ok({ workflow, tag: tag.value, ...numbered });
}

function withForms(refusal: Refusal): { readonly ok: false; readonly error: Refusal } {
  return refuse(refusal.code, refusal.message, { hint: `${refusal.hint ?? ""} ${FORMS}`.trim() });
}
