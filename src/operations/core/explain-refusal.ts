import { brokenFileOf, brokenFiles, refuseBroken } from "../../domain/agent/broken-file.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { formatTarget } from "../../domain/message/target.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { definitionUse, findRunAgent } from "../runs/run-agent.ts";

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
  let hint: string | undefined;
  if (code === "not_found" && kind === "agent" && typeof name === "string") {
    const problem = definitions.broken({ agent: name, workflow: null });
    const broken = problem === undefined ? ok(undefined) : refuseBroken(kind, name, problem);
    if (!broken.ok) return broken.error;
    hint = await store.read((reads) => unknownAgent(reads, definitions, name));
  } else if (code === "not_found" && typeof ref === "string") {
    hint = brokenFileOf(definitions.problems(), "agent", ref);
  } else if (code === "not_running" && typeof workflow === "string" && typeof tag === "string") {
    const meant = { workflow, tag, ...(typeof agent === "string" ? { agent } : {}) };
    hint = await store.read((reads) => notRunning(reads, definitions, meant, refusal.hint ?? ""));
  } else if (code === "not_participant" && typeof workflow === "string" && typeof agent === "string") {
    const { participants } = details;
    const meant = { workflow, tag: typeof tag === "string" ? tag : DEFAULT_TAG, agent };
    hint = await store.read((reads) => notParticipant(reads, definitions, meant, participants, refusal.hint));
  }
  return hint === undefined ? refusal : { ...refusal, hint };
}

async function unknownAgent(store: StoreReads, definitions: Definitions, name: string): Promise<string | undefined> {
  const spaces = await store.workspaces.workspacesOf(name);
  const found = await Promise.all(spaces.map((space) => findRunAgent(store, definitions, { agent: name, space })));
  const addresses = (isThere: boolean): string[] =>
    spaces
      .filter((_, index) => (found[index]?.kind !== "removed") === isThere)
      .map((space) => name + space.replace(/:main$/, ""));
  if (addresses(true).length > 0) return `It exists in workspaces only: ${listed(addresses(true))}. Name one of them.`;
  if (spaces.length > 0)
    return `Its definition was removed, also for ${listed(addresses(false))}. Define it again, or write to somebody else: agent-worker ls`;
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

async function notParticipant(
  store: StoreReads,
  definitions: Definitions,
  { workflow, tag, agent }: Required<Meant>,
  participants: unknown,
  hint: string | undefined,
): Promise<string | undefined> {
  if (hint?.startsWith("Did you mean") === true) return undefined;
  const space = formatSpace({ kind: "workspace", workflow, tag });
  const [file] = definitions.filesOf(await definitionUse(store, { agent: "", space }));
  if (file !== undefined) return `Add ${agent} to ${file} first.`;
  return hintForUnknown(agent, Array.isArray(participants) ? participants.map(String) : [], "participants");
}

const MOST_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : "";
  return names.slice(0, MOST_LISTED).join(", ") + more;
}
