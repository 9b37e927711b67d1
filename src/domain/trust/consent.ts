import { findWidened, type AgentRights } from "./agent-rights.ts";

/**
 * What a person allowed a project to do, by the agent or workflow it was seen with. A power that was seen once stays
 * allowed there, so that switching between branches asks nothing.
 */
export interface Consent {
  /** The person does not want to be asked again, whatever the files say. */
  readonly always: boolean;
  readonly owners: Readonly<Record<string, Seen>>;
  /** The id of the project's store when the person consented, or when it was created here afterwards. */
  readonly store: string | null;
}

interface Seen {
  readonly powers: readonly string[];
  readonly rights: AgentRights;
}

/** What one agent or workflow can do now. */
export interface Abilities {
  /** "alice", "alice@review" as a workflow uses her, "workflow review", "the project". */
  readonly owner: string;
  readonly powers: readonly string[];
  readonly rights: AgentRights;
}

export const NO_CONSENT: Consent = { always: false, owners: {}, store: null };

/** Returns what a person has not seen yet, as sentences without a subject: "run npm test". Empty: it may act. */
export function findUnseen(consent: Consent, { owner, powers, rights }: Abilities): readonly string[] {
  if (consent.always) return [];
  const seen = Object.hasOwn(consent.owners, owner) ? consent.owners[owner] : undefined;
  const known = new Set(seen?.powers);
  return [...new Set([...powers.filter((power) => !known.has(power)), ...findWidened(seen?.rights ?? {}, rights)])];
}

/** Returns the consent with these abilities added. Rights are replaced: only the last ones are compared. */
export function extendConsent(consent: Consent, all: readonly Abilities[]): Consent {
  const owners = new Map(Object.entries(consent.owners));
  for (const { owner, powers, rights } of all) {
    owners.set(owner, { powers: [...new Set([...(owners.get(owner)?.powers ?? []), ...powers])], rights });
  }
  const notEmpty = [...owners].filter(([, seen]) => seen.powers.length > 0 || Object.keys(seen.rights).length > 0);
  return { ...consent, owners: Object.fromEntries(notEmpty) };
}
