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
  /** "alice", "alice@review" as a workflow uses her, "workflow review", or NEW_AGENT. */
  readonly owner: string;
  readonly powers: readonly string[];
  readonly rights: AgentRights;
}

/** The owner of what the defaults of the project file give to every agent. */
export const NEW_AGENT = "a new agent";

export const NO_CONSENT: Consent = { always: false, owners: {}, store: null };

/** Returns what a person has not seen yet, as sentences without a subject: "run npm test". Empty: it may act. */
export function findUnseen(consent: Consent, { owner, powers, rights }: Abilities): readonly string[] {
  if (consent.always) return [];
  const seen = Object.hasOwn(consent.owners, owner) ? consent.owners[owner] : undefined;
  const known = new Set(seen?.powers);
  return [...new Set([...powers.filter((power) => !known.has(power)), ...findWidened(seen?.rights ?? {}, rights)])];
}

/**
 * Returns what a person consents to by making an agent: what they gave, and of what the project adds to it only what they
 * have seen as abilities of new agents.
 */
export function acceptMade(consent: Consent, given: Abilities, whole: Abilities): Abilities {
  const seen = Object.hasOwn(consent.owners, NEW_AGENT) ? consent.owners[NEW_AGENT] : undefined;
  const widened = findWidened(given.rights, whole.rights);
  const known = new Set(findWidened({}, seen?.rights ?? {}));
  return {
    owner: given.owner,
    powers: [...given.powers, ...whole.powers.filter((power) => seen?.powers.includes(power) === true)],
    rights: widened.every((sentence) => known.has(sentence)) ? whole.rights : given.rights,
  };
}

/**
 * Returns what a person consents to by editing a definition: only what was not there before, because that is what the
 * person wrote. Rights are taken over as a whole, so those of a definition that was not seen before stay unseen.
 */
export function acceptEdited(consent: Consent, before: Abilities | undefined, after: Abilities): Abilities {
  const { owner } = after;
  const seen = Object.hasOwn(consent.owners, owner) ? consent.owners[owner] : undefined;
  const had = new Set(before?.powers);
  const wasSeen = findWidened(seen?.rights ?? {}, before?.rights ?? {}).length === 0;
  return {
    owner,
    powers: after.powers.filter((power) => !had.has(power)),
    rights: wasSeen ? after.rights : (seen?.rights ?? {}),
  };
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
