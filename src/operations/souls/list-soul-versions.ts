import * as contract from "../../contract/souls.ts";
import { editsByHand } from "../../domain/soul/soul-history.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { soulSubject } from "./soul-subject.ts";
import { toSoulChangeView, toSoulVersionView } from "./view.ts";

export const listSoulVersions = query(contract.listSoulVersions, {
  access: persons,

  async answer({ agent }, ctx) {
    const subject = await soulSubject(ctx, agent);
    if (!subject.ok) return subject;
    const { state, problem } = subject.value.file.read();
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
