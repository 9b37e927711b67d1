import { findUnseen } from "../../domain/trust/consent.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";
import { openConsentFiles } from "../trust/consent-files.ts";
import { loadedAbilities } from "../trust/loaded-abilities.ts";
import { fine, warning, type Finding } from "./finding.ts";

const NEXT = "See what it can do, and let it: agent-worker trust";

/** Checks whether a person trusts the project, and whether it can do more by now. */
export function checkTrust(home: string, dir: string, project: LoadedProject): Finding[] {
  if (project.agents.size + project.workflows.size === 0) return [];
  const consent = openConsentFiles(home).read(dir);
  if (consent === undefined) return [warning("trust", "you have not trusted this project: it rests", NEXT)];
  const unseen = loadedAbilities(project).flatMap((abilities) => {
    // An agent may do in a workflow what it may do anyway.
    const own = { ...abilities, owner: abilities.owner.replace(/@.*$/s, "") };
    return findUnseen(consent, own).length === 0 ? [] : findUnseen(consent, abilities);
  });
  if (unseen.length === 0) return [fine("trust", "you trust this project")];
  return [warning("trust", `the project can do more than you have allowed: ${unseen.join("; ")}`, NEXT)];
}
