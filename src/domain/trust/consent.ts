import type { Permissions } from "../agent/definition.ts";
import type { Power } from "./power.ts";

/**
 * What a person allowed a project to do. A power that was seen once stays allowed for the whole project, so that
 * switching between branches asks nothing. Permissions belong to one agent, or to one agent of one workflow.
 */
export interface Consent {
  /** The person does not want to be asked again, whatever the files say. */
  readonly always: boolean;
  readonly powers: readonly string[];
  readonly permissions: Readonly<Record<string, Permissions>>;
  /** The id of the project's store when the person consented, or when it was created here afterwards. */
  readonly store: string | null;
}

/** What a project, or one of its definitions, can do now. */
export interface Abilities {
  readonly powers: readonly Power[];
  /** By agent, as `permissionsKey` names it. */
  readonly permissions: Readonly<Record<string, Permissions>>;
}

export const NO_CONSENT: Consent = { always: false, powers: [], permissions: {}, store: null };

/** A workflow may give an agent other permissions than its own definition. */
export function permissionsKey(agent: string, workflow: string | null): string {
  return workflow === null ? agent : `${agent}@${workflow}`;
}

/** Returns what a person has not seen yet, as sentences without a subject: "run npm test". Empty: it may act. */
export function findUnseen(consent: Consent, { powers, permissions }: Abilities): readonly string[] {
  if (consent.always) return [];
  const seen = new Set(consent.powers);
  return [
    ...powers.map(({ text }) => text).filter((text) => !seen.has(text)),
    ...Object.entries(permissions).flatMap(([key, now]) =>
      findWidened(consent.permissions[key] ?? {}, now).map((text) => `${text} (${key})`),
    ),
  ].filter((text, index, all) => all.indexOf(text) === index);
}

/** Returns the consent with these abilities added. Permissions are replaced: only the last ones are compared. */
export function extendConsent(consent: Consent, { powers, permissions }: Abilities): Consent {
  return {
    ...consent,
    powers: [...new Set([...consent.powers, ...powers.map(({ text }) => text)])],
    permissions: Object.fromEntries(
      Object.entries({ ...consent.permissions, ...permissions }).filter(([, each]) => Object.keys(each).length > 0),
    ),
  };
}

/** Returns how the permissions are wider than the ones a person saw. Narrower ones need no consent. */
function findWidened(seen: Permissions, now: Permissions): readonly string[] {
  const added = (now.allow ?? []).filter((pattern) => seen.allow?.includes(pattern) !== true);
  const stillAsked = [...(now.ask ?? []), ...(now.deny ?? [])];
  return [
    ...(now.mode === "host" && seen.mode !== "host" ? ["use the shell of this machine"] : []),
    ...added.map((pattern) => `call ${pattern} without asking`),
    ...(seen.deny ?? [])
      .filter((pattern) => now.deny?.includes(pattern) !== true)
      .map((p) => `no longer be denied ${p}`),
    ...(seen.ask ?? []).filter((pattern) => !stillAsked.includes(pattern)).map((p) => `no longer ask before ${p}`),
  ];
}
