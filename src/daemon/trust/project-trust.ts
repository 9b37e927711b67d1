import { createHash } from "node:crypto";
import {
  acceptEdited,
  acceptMade,
  extendConsent,
  findUnseen,
  NO_CONSENT,
  type Abilities,
  type Consent,
} from "../../domain/trust/consent.ts";
import {
  agentAbilities,
  agentsOfWorkflow,
  projectAbilities,
  workflowAbilities,
  type AgentInUse,
} from "../../domain/trust/project-abilities.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { Ability, EditedDefinitions, Trust, TrustKind } from "../../ports/trust.ts";
import { codeAbilities, codePower, type CodeFile } from "../../files/proposals/code-files.ts";
import type { ConsentFiles } from "./consent-files.ts";
import type { EngineSettings } from "./engine-settings.ts";
import { newAgent } from "./new-agent.ts";
import { listFacts } from "./project-facts.ts";

export interface ProjectTrustParts {
  readonly dir: string;
  readonly definitions: Definitions;
  /** Absent: the project is trusted as it is, and no consent is kept. */
  readonly consents: ConsentFiles | undefined;
  /** What the engines find in the project besides its definitions. */
  readonly settings: readonly EngineSettings[];
  /** The code that the project brings for its own proposals. */
  readonly code: () => readonly CodeFile[];
  /** The id of the store that is there; null when it has none, undefined when there is no store yet. */
  readonly storeId: () => string | null | undefined;
  /** Called after consent was given or taken back. */
  readonly onChange: () => void;
}

/** The Trust port for one project. */
export interface ProjectTrust extends Trust {
  /** Whether the project as a whole may act. Reads the consent again. */
  mayAct(): boolean;
  /** Returns those of the powers of the project's code that a person has not allowed. */
  unseenOfCode(powers: readonly string[]): readonly string[];
  /** The store was made here. */
  rememberStore(id: string): void;
}

export function createProjectTrust(parts: ProjectTrustParts): ProjectTrust {
  const { dir, definitions, consents, settings } = parts;
  let consent = consents?.read(dir);
  /** For agents that exist only in memory. */
  let inMemory: Consent = NO_CONSENT;

  const save = (changed: Consent): void => {
    consent = changed;
    consents?.write(dir, changed);
  };
  const ofAgent = (use: AgentInUse): Abilities => {
    const abilities = agentAbilities(use);
    return {
      ...abilities,
      powers: [...abilities.powers, ...settings.flatMap((each) => each.powersOf(use.definition))],
    };
  };
  const compare = (abilities: Abilities): readonly string[] => {
    const unseen = findUnseen(consent ?? NO_CONSENT, abilities);
    const isInMemory = unseen.length > 0 && Object.hasOwn(inMemory.owners, abilities.owner);
    return isInMemory ? findUnseen(inMemory, abilities) : unseen;
  };
  const unseen = (abilities: Abilities): readonly string[] => {
    if (consents === undefined || compare(abilities).length === 0) return [];
    // The command may have written a consent meanwhile.
    consent = consents.read(dir);
    return compare(abilities);
  };
  /** An agent that a workflow uses may do there what it may do anyway. */
  const unseenInUse = (use: AgentInUse): readonly string[] =>
    unseen(ofAgent({ ...use, workflow: null })).length === 0 ? [] : unseen(ofAgent(use));
  const everything = (inUse: readonly AgentInUse[]): readonly Abilities[] => [
    ...definitions.agents().map((definition) => ofAgent({ definition, workflow: null })),
    ...[...definitions.workflows(), ...definitions.namedWorkflows()].flatMap((workflow) => [
      workflowAbilities(workflow),
      ...agentsOfWorkflow(workflow, definitions).map(ofAgent),
    ]),
    ...inUse.map(ofAgent),
    ofAgent(newAgent(definitions.settings().defaults)),
    codeAbilities(parts.code().map(codePower)),
    projectAbilities(definitions.settings()),
  ];

  const findKind = (): TrustKind => {
    if (consents === undefined) return "trusted";
    if (consent === undefined || compare(projectAbilities(definitions.settings())).length > 0) return "unknown";
    const id = parts.storeId();
    return id === undefined || id === consent.store ? "trusted" : "foreign-store";
  };
  /** Looked up when the project is opened, which is done again when the consent changes. */
  let kind = findKind();

  return {
    unseenOfAgent: (definition, workflow) => unseenInUse({ definition, workflow }),
    unseenOfWorkflow: (workflow) => [
      ...new Set([
        ...unseen(workflowAbilities(workflow)),
        ...agentsOfWorkflow(workflow, definitions).flatMap(unseenInUse),
      ]),
    ],
    unseenOfCode: (powers) => unseen(codeAbilities(powers)),
    kind: () => kind,
    state: (inUse) => ({
      kind,
      always: consent?.always === true,
      abilities: listAbilities(everything(inUse), unseen),
      facts: listFacts(definitions, kind !== "trusted" && parts.storeId() !== undefined),
      fingerprint: fingerprintOf(everything(inUse)),
    }),
    grant({ seen, always, inUse }) {
      if (consents === undefined) return TRUSTS_ALL;
      const now = everything(inUse);
      if (seen !== undefined && seen !== fingerprintOf(now)) {
        return refuse("conflict", "The project can do something else by now than what was shown.", {
          hint: "Look again: agent-worker trust",
        });
      }
      const before = consent ?? NO_CONSENT;
      const isEphemeral = ({ owner }: Abilities): boolean => definitions.isEphemeral(owner);
      const kept = now.filter((abilities) => !isEphemeral(abilities));
      inMemory = extendConsent(inMemory, now.filter(isEphemeral));
      save({ ...extendConsent(before, kept), always: always || before.always, store: parts.storeId() ?? null });
      parts.onChange();
      return ok(undefined);
    },
    revoke() {
      if (consents === undefined) return TRUSTS_ALL;
      if (!consents.remove(dir)) return refuse("conflict", "Nobody had trusted this project, so nothing was changed.");
      consent = undefined;
      inMemory = NO_CONSENT;
      parts.onChange();
      return ok(undefined);
    },
    acceptAgent(definition, lifetime) {
      const whole = definitions.agent(definition.name) ?? definition;
      const given = agentAbilities({ definition, workflow: null });
      const abilities = acceptMade(consent ?? NO_CONSENT, given, ofAgent({ definition: whole, workflow: null }));
      if (lifetime === "in-memory") inMemory = extendConsent(inMemory, [abilities]);
      else if (consent !== undefined) save(extendConsent(consent, [abilities]));
    },
    acceptEdit(before, after) {
      const given = consent;
      if (given === undefined) return;
      const had = new Map(ofEdited(before, definitions).map((each) => [each.owner, each]));
      save(
        extendConsent(
          given,
          ofEdited(after, definitions).map((has) => acceptEdited(given, had.get(has.owner), has)),
        ),
      );
    },
    acceptTeam(team) {
      inMemory = extendConsent(inMemory, [workflowAbilities(team), ...givenAgents(team).map(agentAbilities)]);
    },
    mayAct() {
      consent = consents?.read(dir);
      kind = findKind();
      return kind === "trusted";
    },
    rememberStore(id) {
      if (consent !== undefined && consent.store !== id) save({ ...consent, store: id });
    },
  };
}

const TRUSTS_ALL = refuse("conflict", "This daemon trusts every project, because it was started with --trust.", {
  hint: "For consent per project, start it without: agent-worker daemon stop",
});

/** A team of a request names its agents whole; those of the project that it refers to are not given by the person. */
function givenAgents(team: WorkflowDefinition): readonly AgentInUse[] {
  return agentsOfWorkflow(team, { agent: () => undefined });
}

/** What the definitions of one file can do; what an agent can do besides, in a workflow, is not theirs. */
function ofEdited({ agent, workflow }: EditedDefinitions, definitions: Definitions): readonly Abilities[] {
  const inWorkflow = workflow === undefined ? [] : agentsOfWorkflow(workflow, definitions);
  return [
    ...(agent === undefined ? [] : [agentAbilities({ definition: agent, workflow: null })]),
    ...(workflow === undefined ? [] : [workflowAbilities(workflow)]),
    ...inWorkflow.filter(({ definition }) => workflow?.agents[definition.name]?.kind === "inline").map(agentAbilities),
  ];
}

/** What an agent can do in a workflow is listed only where it is more than what it can do anyway. */
function listAbilities(
  everything: readonly Abilities[],
  unseen: (abilities: Abilities) => readonly string[],
): readonly Ability[] {
  const listed = new Map<string, Set<string>>();
  return everything.flatMap((abilities) => {
    const { owner } = abilities;
    const agent = owner.includes("@") ? owner.slice(0, owner.indexOf("@")) : owner;
    const known = new Set([...(listed.get(agent) ?? []), ...(listed.get(owner) ?? [])]);
    const missing = new Set(unseen(abilities));
    const texts = [...new Set([...findUnseen(NO_CONSENT, abilities), ...missing])].filter((text) => !known.has(text));
    listed.set(owner, new Set([...known, ...texts]));
    return texts.map((text) => ({ who: owner, text, seen: !missing.has(text) }));
  });
}

function fingerprintOf(everything: readonly Abilities[]): string {
  const sorted = everything.toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
}
