import { findUnseen } from "../../domain/trust/consent.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";
import { codeAbilities, codePower, createCodeFiles } from "../../files/proposals/code-files.ts";
import { openConsentFiles } from "../trust/consent-files.ts";
import { loadedAbilities } from "../trust/loaded-abilities.ts";
import { fine, warning, type Finding } from "./finding.ts";

const NEXT = "See what it can do, and let it: agent-worker trust";

/** Checks whether a person trusts the project, and whether it can do more by now. */
export function checkTrust(home: string, dir: string, project: LoadedProject): Finding[] {
  const powers = createCodeFiles(dir)().map(codePower);
  if (project.agents.size + project.workflows.size + powers.length === 0) return [];
  const consent = openConsentFiles(home).read(dir);
  if (consent === undefined) return [warning("trust", "you have not trusted this project: it rests", NEXT)];
  const unseen = loadedAbilities(project).flatMap((abilities) => {
    // An agent may do in a workflow what it may do anyway.
    const own = { ...abilities, owner: abilities.owner.replace(/@.*$/s, "") };
    if (findUnseen(consent, own).length === 0) return [];
    return findUnseen(consent, abilities).map((text) => `${abilities.owner} can ${text}`);
  });
  unseen.push(...findUnseen(consent, codeAbilities(powers)).map((text) => `the project can ${text}`));
  if (unseen.length === 0) return [fine("trust", "you trust this project")];
  return [warning("trust", `something here rests, because you have not allowed it: ${unseen.join("; ")}`, NEXT)];
}
