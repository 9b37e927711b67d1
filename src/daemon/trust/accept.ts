import { join } from "node:path";
import { acceptEdited, extendConsent, NO_CONSENT } from "../../domain/trust/consent.ts";
import { agentAbilities } from "../../domain/trust/project-abilities.ts";
import { loadProject, type LoadedProject } from "../../files/project/load-project.ts";
import { readStoreId } from "../../storage/sqlite/inspect.ts";
import { openConsentFiles } from "./consent-files.ts";
import { loadedAbilities } from "./loaded-abilities.ts";

/**
 * Trusts a project that the person made here just now; `withStore`: its store was made here too. A store that the person
 * has trusted in this folder before stays trusted: work may have been done here before there was a team.
 */
export async function trustNewProject(
  home: string,
  dir: string,
  options: { readonly withStore: boolean },
): Promise<void> {
  const project = await loadProject(dir);
  const abilities = loadedAbilities(project);
  const consents = openConsentFiles(home);
  const id = project.settings.store.url === undefined ? readStoreId(join(dir, project.settings.store.path)) : undefined;
  const isKnown = options.withStore || id === consents.read(dir)?.store;
  const store = isKnown ? (id ?? null) : null;
  consents.write(dir, { ...extendConsent(NO_CONSENT, abilities), store });
}

/**
 * Adds what an agent can do after the person edited it with agent-worker to their consent: only what was not there
 * before, because that is what the person wrote. In a project that is not trusted nothing changes.
 */
export async function acceptEdit(home: string, dir: string, name: string, before: LoadedProject): Promise<void> {
  const consents = openConsentFiles(home);
  const consent = consents.read(dir);
  const edited = (await loadProject(dir)).agents.get(name)?.definition;
  if (consent === undefined || edited === undefined) return;
  const earlier = before.agents.get(name)?.definition;
  const had = earlier === undefined ? undefined : agentAbilities({ definition: earlier, workflow: null });
  const has = agentAbilities({ definition: edited, workflow: null });
  consents.write(dir, extendConsent(consent, [acceptEdited(consent, had, has)]));
}
