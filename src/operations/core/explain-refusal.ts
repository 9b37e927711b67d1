import { brokenFileOf, brokenFiles, refuseBroken } from "../../domain/agent/broken-file.ts";
import { formatTarget } from "../../domain/message/target.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";

interface ProjectParts {
  readonly definitions: Definitions;
  readonly store: { read<T>(work: (store: StoreReads) => Promise<T>): Promise<T> };
}

/**
 * Returns a refusal with the hint that is right in this project: a name that is not known may have a broken file, be
 * meant for a workspace, or be spelt otherwise. A hint never names a command that would fail.
 */
export async function explainRefusal(refusal: Refusal, { definitions, store }: ProjectParts): Promise<Refusal> {
  const { code, details = {} } = refusal;
  const { kind, name, ref, workflow, tag, agent } = details;
  const broken =
    code === "not_found" && kind === "agent" && typeof name === "string"
      ? refuseBroken(definitions.problems(), kind, name)
      : undefined;
  if (broken !== undefined) return broken.error;
  let hint: string | undefined;
  if (code === "not_found" && kind === "agent" && typeof name === "string") {
    hint = await store.read((reads) => unknownAgent(reads, definitions, name));
  } else if (code === "not_found" && typeof ref === "string") {
    hint = brokenFileOf(definitions.problems(), "agent", ref);
  } else if (code === "not_running" && typeof workflow === "string" && typeof tag === "string") {
    const meant = { workflow, tag, ...(typeof agent === "string" ? { agent } : {}) };
    hint = await store.read((reads) => notRunning(reads, definitions, meant, refusal.hint ?? ""));
  } else if (code === "not_participant" && typeof workflow === "string" && typeof agent === "string") {
    hint = notParticipant(definitions, workflow, agent, details["participants"], refusal.hint);
  }
  return hint === undefined ? refusal : { ...refusal, hint };
}

async function unknownAgent(store: StoreReads, definitions: Definitions, name: string): Promise<string | undefined> {
  const places = (await store.workspaces.workspacesOf(name)).map((space) => name + space.replace(/:main$/, ""));
  if (places.length > 0) return `It exists in workspaces only: ${listed(places)}. Name one of them.`;
  const others = brokenFiles(definitions.problems(), "agent");
  const names = definitions.agents().map((each) => each.name);
  if (others.length === 0) return undefined;
  const create = `Create it with: agent-worker agent create ${name}`;
  return `${hintForUnknown(name, names, "agents")} Files with mistakes are not used: ${listed(others)}. See: agent-worker check. ${create}`;
}

interface Meant {
  readonly workflow: string;
  readonly tag: string;
  readonly agent?: string;
}

async function notRunning(
  store: StoreReads,
  definitions: Definitions,
  { workflow, tag, agent }: Meant,
  start: string,
): Promise<string | undefined> {
  const open = await store.workspaces.list({ state: "open" });
  const targets = (chosen: readonly { readonly workflow: string; readonly tag: string }[]): string[] =>
    chosen.map((each) =>
      formatTarget(
        agent === undefined
          ? { kind: "channel", workflow: each.workflow, tag: each.tag }
          : { kind: "agent", agent, workflow: each.workflow, tag: each.tag },
      ),
    );
  const others = targets(open.filter((each) => each.workflow === workflow && each.tag !== tag));
  if (definitions.workflow(workflow) !== undefined) {
    return others.length === 0 ? undefined : `Running: ${listed(others)}. ${start}`;
  }
  if (others.length > 0) return `Running: ${listed(others)}.`;
  const byTag = targets(open.filter((each) => each.tag === workflow));
  if (byTag.length > 0) return `"${workflow}" is a tag. Did you mean ${listed(byTag)}?`;
  const names = definitions.workflows().map((each) => each.name);
  return (
    brokenFileOf(definitions.problems(), "workflow", workflow) ??
    `${hintForUnknown(workflow, names, "workflows")} Running: ${listed(open.map((each) => `@${displayWorkspace(each)}`)) || "nothing"}.`
  );
}

function notParticipant(
  definitions: Definitions,
  workflow: string,
  agent: string,
  participants: unknown,
  hint: string | undefined,
): string | undefined {
  if (hint?.startsWith("Did you mean") === true) return undefined;
  const file = definitions.workflowFile(workflow);
  if (file !== undefined) return `Add ${agent} to ${file} first.`;
  return hintForUnknown(agent, Array.isArray(participants) ? participants.map(String) : [], "participants");
}

const MOST_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : "";
  return names.slice(0, MOST_LISTED).join(", ") + more;
}
