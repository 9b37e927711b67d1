import { NO_MACHINE } from "../../../src/daemon/machine/no-machine.ts";
import { NO_WORKTREES } from "../../../src/daemon/store/no-worktrees.ts";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { ENGINE_NAMES } from "../../../src/domain/agent/engines.ts";
import type { CausalLimits } from "../../../src/domain/causal/budget.ts";
import { mailboxOf } from "../../../src/domain/delivery/mailbox.ts";
import type { AgentEntry, WorkflowDefinition } from "../../../src/domain/workflow/definition.ts";
import { createProvenanceTracker } from "../../../src/guard/provenance/provenance.ts";
import { ok } from "../../../src/kernel/result.ts";
import { refuse } from "../../../src/kernel/refusal.ts";
import type { Services } from "../../../src/operations/core/define.ts";
import type { Definitions } from "../../../src/ports/definitions.ts";
import { createOwnNode } from "../../../src/runtime/node/own-node.ts";
import type { Trust } from "../../../src/ports/trust.ts";
import type { Member } from "../../../src/ports/store/workspace.ts";

/**
 * Who takes part in every simulation: five agents of the project, three workspaces in which some of them meet, and in
 * each workspace an agent called `helper` that exists only there.
 */
export interface Place {
  /** Text form of the space. */
  readonly key: string;
  readonly members: readonly Member[];
}

export const AGENTS = ["ada", "ben", "cyd", "dan", "eve"] as const;

const HELPER: Member = { agent: "helper", ref: null };
const refs = (...names: readonly string[]): Member[] => names.map((agent) => ({ agent, ref: agent }));

export const PLACES: readonly Place[] = [
  { key: "@review:main", members: [...refs("ada", "ben", "cyd"), HELPER] },
  { key: "@review:pr-1", members: [...refs("ada", "dan"), HELPER] },
  { key: "@ops:main", members: [HELPER, ...refs("eve", "ben")] },
];

const WORKSPACE: WorkflowDefinition["workspace"] = {
  provider: "sqlite",
  documents: "file",
  channel: true,
  mirrored: false,
  channelFile: "channel.md",
  documentFile: "notes.md",
};

const BY_KEY = new Map(PLACES.map((place) => [place.key, place]));

/** Members of a workspace in the order of joining; nobody for direct messages. */
export function membersOf(space: string): readonly Member[] {
  return BY_KEY.get(space)?.members ?? [];
}

export function mailboxIn(space: string, agent: string): string {
  const member = membersOf(space).find((each) => each.agent === agent) ?? { ref: agent };
  return mailboxOf(agent, member.ref, space);
}

export const MAILBOXES: readonly string[] = [...AGENTS, ...PLACES.map(({ key }) => mailboxIn(key, HELPER.agent))];

const NOTHING_TO_DISPOSE: Disposable = { [Symbol.dispose]: () => {} };

/** The workflows of the workspaces, each with everybody who takes part in one of its workspaces. */
const WORKFLOWS: ReadonlyMap<string, WorkflowDefinition> = new Map(
  ["review", "ops"].map((name) => {
    const members = PLACES.filter(({ key }) => key.startsWith(`@${name}:`)).flatMap((place) => place.members);
    const agents = members.map(({ agent, ref }): [string, AgentEntry] => [
      agent,
      ref === null ? { kind: "inline", backend: "mock", prompt: { system: agent } } : { kind: "ref", ref },
    ]);
    return [name, { name, agents: Object.fromEntries(agents), workspace: WORKSPACE, params: [], setup: [] }];
  }),
);

/** Everything outside the store that the simulated operations ask for. */
export function castFacilities(causalLimits: CausalLimits, node?: { name: string; instance: string }): Services {
  const none = () => refuse("not_found", "Nobody in a simulation has files.");
  const agents: AgentDefinition[] = AGENTS.map((name) => ({ name, backend: "mock", prompt: { system: name } }));
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const definitions: Definitions = {
    agent: (name) => byName.get(name),
    agents: () => agents,
    hasOthers: () => agents.length > 1,
    workflow: (name) => WORKFLOWS.get(name),
    workflows: () => [...WORKFLOWS.values()],
    namedWorkflows: () => [],
    settings: () => ({
      workspace: { provider: "sqlite", base: ".workspace", documents: "file" },
      context: { provider: "file" },
      defaults: {},
      store: { provider: "sqlite", path: "" },
      guard: { soul: { observe: false, apply: "ask" } },
      prices: {},
      retention: { transcriptsMs: null, eventsMs: null, workspacesMs: null, deadLettersMs: null },
    }),
    problems: () => [],
    broken: () => undefined,
    brokenAgents: () => [],
    brokenWorkflows: () => [],
    hasSettings: () => true,
    vanishedLately: () => false,
    filesOf: () => [],
    changedAt: () => null,
    isCurrent: () => true,
    refresh: async () => {},
    observe: () => NOTHING_TO_DISPOSE,
    watch: () => NOTHING_TO_DISPOSE,
    createAgent: async () => none(),
    allowCalls: async () => none(),
    deleteAgent: async () => none(),
    sources: () => [],
    readSource: none,
    checkSource: none,
    draftAgent: none,
    draftWorkflow: none,
    writeSource: async () => none(),
    readWorkflow: none,
    addTeam: none,
    removeTeam: () => {},
    nextEphemeralName: () => "agent-1",
    addEphemeral: none,
    removeEphemeral: () => false,
    isEphemeral: () => false,
    promote: async () => none(),
  };
  return {
    definitions,
    causalLimits,
    redact: (text) => text,
    redactInParts: async (text) => text,
    personal: none,
    recall: { search: async () => [], refresh: async () => {}, forget: async () => {} },
    provenance: createProvenanceTracker(),
    recalled: () => {},
    archiveConversation: async () => none(),
    documents: none,
    trust: TRUSTED,
    machine: NO_MACHINE,
    prices: { of: () => undefined },
    ownProposals: { refresh: async () => {}, all: () => [], find: () => undefined, problems: () => [] },
    askGuardModel: async () => null,
    guardModels: {
      complete: async () => ({ ok: false, reason: "Nobody in a simulation asks a model." }),
      embed: async () => ({ ok: false, reason: "Nobody in a simulation asks a model." }),
    },
    node: createOwnNode(
      () => ({
        name: node?.name ?? "only",
        instance: node?.instance ?? "own_only",
        machine: node?.name ?? "only",
        labels: [],
        engines: ENGINE_NAMES,
        capacity: null,
        version: "0",
        definitions: {},
      }),
      { alone: node === undefined },
    ),
    worktrees: NO_WORKTREES,
    storeUpkeep: { problem: () => null, reopen: none, vacuum: async () => none() },
  };
}

const TRUSTED: Trust = {
  unseenOfAgent: () => [],
  unseenOfWorkflow: () => [],
  kind: () => "trusted",
  state: () => ({ kind: "trusted", always: true, abilities: [], facts: [], fingerprint: "" }),
  grant: () => ok(undefined),
  revoke: () => ok(undefined),
  acceptAgent: () => {},
  acceptEdit: () => {},
  acceptTeam: () => {},
};
