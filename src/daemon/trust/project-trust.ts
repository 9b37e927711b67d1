import { createHash } from "node:crypto";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE, engineKind } from "../../domain/agent/engines.ts";
import { extendConsent, findUnseen, NO_CONSENT, type Abilities, type Consent } from "../../domain/trust/consent.ts";
import type { Power } from "../../domain/trust/power.ts";
import { agentAbilities, mergeAbilities, workflowAbilities } from "../../domain/trust/project-abilities.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { Ability, Trust, TrustKind } from "../../ports/trust.ts";
import type { ConsentFiles } from "./consent-files.ts";
import type { EngineSettings } from "./engine-settings.ts";

export interface ProjectTrustParts {
  readonly dir: string;
  readonly definitions: Definitions;
  /** Absent: the project is trusted as it is, and no consent is kept. */
  readonly consents: ConsentFiles | undefined;
  readonly settings: EngineSettings;
  /** Powers of the project file itself. */
  readonly ownPowers: () => readonly Power[];
  /** The id of the store that is there; null when it has none, undefined when there is no store yet. */
  readonly storeId: () => string | null | undefined;
  /** Called after consent was given or taken back. */
  readonly onChange: () => void;
}

/** The Trust port for one project. */
export interface ProjectTrust extends Trust {
  /** Whether the project as a whole may act. Reads the consent again. */
  mayAct(): boolean;
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
  const ofAgent = (definition: AgentDefinition, workflow: string | null): Abilities => {
    const { powers, permissions } = agentAbilities(definition, workflow);
    return { powers: [...powers, ...settings.powersOf(definition)], permissions };
  };
  const ofWorkflow = (workflow: WorkflowDefinition): Abilities => {
    const { powers, permissions } = workflowAbilities(workflow, definitions);
    const agents = Object.values(workflow.agents).map((entry) =>
      settings.powersOf({
        ...(entry.kind === "ref" ? definitions.agent(entry.ref) : undefined),
        ...entry,
      } as AgentDefinition),
    );
    return { powers: [...powers, ...agents.flat()], permissions };
  };
  const everything = (): Abilities =>
    mergeAbilities([
      { powers: parts.ownPowers(), permissions: {} },
      ...definitions.agents().map((agent) => ofAgent(agent, null)),
      ...definitions.workflows().map(ofWorkflow),
    ]);
  const compare = (abilities: Abilities): readonly string[] => {
    const { always = false, powers = [], permissions = {}, store = null } = consent ?? {};
    return findUnseen(
      {
        always,
        powers: [...powers, ...inMemory.powers],
        permissions: { ...permissions, ...inMemory.permissions },
        store,
      },
      abilities,
    );
  };
  /** The command may have written a consent meanwhile. */
  const unseen = (abilities: Abilities): readonly string[] => {
    if (consents === undefined || compare(abilities).length === 0) return [];
    consent = consents.read(dir);
    return compare(abilities);
  };

  const findKind = (): TrustKind => {
    if (consents === undefined) return "trusted";
    if (consent === undefined) return "unknown";
    const id = parts.storeId();
    return id === undefined || id === consent.store ? "trusted" : "foreign-store";
  };
  /** Looked up when the project is opened, which is done again when the consent changes. */
  let kind = findKind();

  return {
    unseenOfAgent: (definition, workflow) => unseen(ofAgent(definition, workflow)),
    unseenOfWorkflow: (workflow) => unseen(ofWorkflow(workflow)),
    kind: () => kind,
    state: () => ({
      kind,
      always: consent?.always === true,
      abilities: listAbilities(parts, ofAgent, ofWorkflow, unseen),
      facts: listFacts(definitions),
      fingerprint: fingerprintOf(everything()),
    }),
    grant({ seen, always }) {
      const now = everything();
      if (seen !== undefined && seen !== fingerprintOf(now)) {
        return refuse("conflict", "The project can do something else by now than what was shown.", {
          hint: "Look again: agent-worker trust",
        });
      }
      const before = consent ?? NO_CONSENT;
      save({ ...extendConsent(before, now), always: always || before.always, store: parts.storeId() ?? null });
      parts.onChange();
      return ok(undefined);
    },
    revoke() {
      consents?.remove(dir);
      consent = undefined;
      inMemory = NO_CONSENT;
      parts.onChange();
    },
    acceptAgent(definition, lifetime) {
      const abilities = agentAbilities(definition, null);
      if (lifetime === "in-memory") inMemory = extendConsent(inMemory, abilities);
      else if (consent !== undefined) save(extendConsent(consent, abilities));
    },
    acceptTeam(team) {
      inMemory = extendConsent(inMemory, workflowAbilities(team, NO_AGENTS));
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

/** A team of a request names its agents whole; those of the project that it refers to are not given by the person. */
const NO_AGENTS = { agent: () => undefined, agents: () => [], workflows: () => [] };

/** Lists what each agent and workflow can do. A workflow's list has only what is not listed before. */
function listAbilities(
  { definitions, ownPowers }: ProjectTrustParts,
  ofAgent: (definition: AgentDefinition, workflow: string | null) => Abilities,
  ofWorkflow: (workflow: WorkflowDefinition) => Abilities,
  unseen: (abilities: Abilities) => readonly string[],
): readonly Ability[] {
  const listed = new Set<string>();
  const rows = (who: string, abilities: Abilities): Ability[] => {
    const missing = new Set(unseen(abilities));
    return [...new Set([...findUnseen(NO_CONSENT, abilities), ...missing])]
      .filter((text) => missing.has(text) || !listed.has(text))
      .map((text) => {
        listed.add(text);
        return { who, text, seen: !missing.has(text) };
      });
  };
  return [
    ...rows("the project", { powers: ownPowers(), permissions: {} }),
    ...definitions.agents().flatMap((agent) => rows(agent.name, ofAgent(agent, null))),
    ...definitions.workflows().flatMap((workflow) => rows(`workflow ${workflow.name}`, ofWorkflow(workflow))),
  ];
}

/** What a person wants to know besides: which models are asked, and who is woken without being asked. */
function listFacts(definitions: Definitions): readonly string[] {
  return [
    ...definitions
      .agents()
      .flatMap((agent) => [
        `${agent.name} ${engineFact(agent)}.`,
        ...(agent.schedule === undefined ? [] : [`${agent.name} is woken by itself: ${agent.schedule.wakeup}.`]),
      ]),
    ...definitions
      .workflows()
      .map(({ name, agents }) => `The workflow ${name} is a team of ${Object.keys(agents).length}.`),
  ];
}

function engineFact({ backend = DEFAULT_ENGINE, model, provider }: AgentDefinition): string {
  const kind = engineKind(backend);
  if (kind === "script") return "plays a script and asks no model";
  if (kind !== "api") return `works with its program (${backend})`;
  const key =
    provider?.baseUrl === undefined && provider?.apiKeyEnv === undefined ? ", with its provider's usual key" : "";
  return `asks the model ${model ?? "auto"}${key}`;
}

function fingerprintOf({ powers, permissions }: Abilities): string {
  const texts = powers.map(({ text }) => text).toSorted();
  const sorted = Object.entries(permissions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([texts, sorted]))
    .digest("hex")
    .slice(0, 16);
}
