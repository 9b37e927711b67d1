import * as contract from "../../contract/project/setup.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/**
 * Makes a team and trusts the project, because the person made everything in it. Where somebody else left something that
 * acts, such as a database, the person looks at that first. A model that cannot be one is refused before anything is
 * written.
 */
export const createTeam = proposal(contract.createTeam, {
  access: persons,

  async prepare({ team, engine, model, baseUrl }, { services: { definitions, machine, trust } }) {
    await definitions.refresh();
    const { kind, abilities, facts } = trust.state([]);
    if (kind !== "trusted" && (abilities.length > 0 || facts.length > 0)) {
      return refuse("untrusted", "There is something in this folder already that you have not looked at.", {
        hint: "See what it can do, and let it: agent-worker trust",
      });
    }
    if (model !== undefined) {
      const server = baseUrl === undefined ? {} : { provider: { name: "openai-compatible", baseUrl } };
      const named = checkModel({ model, backend: engine, ...server });
      if (!named.ok) return named;
    }
    const made = await machine.createTeam(team, { engine, model, baseUrl });
    if (!made.ok) return made;
    await definitions.refresh();
    const granted = trust.grant({ always: false, inUse: [] });
    // A daemon that trusts every project keeps no consent.
    return granted.ok || granted.error.code === "conflict" ? made : granted;
  },

  async execute({ team }, ctx, { files, workflow, agent }) {
    await ctx.emit({ type: "definitions.changed" });
    return ok({ team, files: [...files], workflow, agent });
  },
});
