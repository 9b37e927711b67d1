import { homeFolder } from "../../client/home.ts";
import { findUnseen } from "../../domain/trust/consent.ts";
import { projectAbilities } from "../../domain/trust/project-abilities.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { openConsentFiles } from "./consent-files.ts";

/**
 * Refuses a project that nobody trusted, or whose project file names more than a person allowed, such as another server.
 * For commands that open the store of a project without a daemon: nothing of it is opened, and no variable is read, before.
 */
export function requireTrust(
  dir: string,
  { settings }: Pick<LoadedProject, "settings">,
  { env, trust }: { readonly env: Readonly<Record<string, string | undefined>>; readonly trust: boolean },
): Result<undefined, Refusal> {
  const consent = trust ? undefined : openConsentFiles(homeFolder(env)).read(dir);
  const unseen = consent === undefined ? [] : findUnseen(consent, projectAbilities(settings));
  if (trust || (consent !== undefined && unseen.length === 0)) return ok(undefined);
  const why =
    consent === undefined
      ? "This project is at rest: nobody has trusted it on this machine yet."
      : `You have not allowed the project to ${unseen.join(", ")}.`;
  return refuse("untrusted", why, {
    hint: "See what it can do, and let it work: agent-worker trust. In a script, add --trust to the command.",
  });
}
