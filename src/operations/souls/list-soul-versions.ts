import * as contract from "../../contract/souls.ts";
import { editsByHand } from "../../domain/soul/soul-history.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toSoulChangeView, toSoulVersionView } from "./view.ts";

export const listSoulVersions = query(contract.listSoulVersions, {
  access: persons,

  async execute({ agent }, ctx) {
    const owner = await personalOwner(ctx, agent);
    if (!owner.ok) return owner;
    await owner.value.context.soul.refresh();
    const { state, problem } = owner.value.context.soul.read();
    if (problem !== null) {
      return refuse("conflict", `What ${agent} has learned cannot be read: ${problem}`, { hint: "Correct the file." });
    }
    return ok({
      agent,
      versions: state.versions.map(toSoulVersionView),
      edited: editsByHand(state).map(toSoulChangeView),
    });
  },
});
