import { z } from "zod";
import { soulChangeView, soulVersionView } from "../../contract/souls.ts";
import { editsByHand } from "../../domain/soul/soul-history.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { soulSubject } from "./soul-subject.ts";
import { toSoulChangeView, toSoulVersionView } from "./view.ts";

export const listSoulVersions = query({
  name: "list-soul-versions",
  summary: "List every version of a soul with its difference: who decided it, why, and on what evidence.",
  input: z.object({ agent: z.string() }),
  output: z.object({
    agent: z.string(),
    /** Oldest first. Version 0, the baseline alone, is not listed. */
    versions: z.array(soulVersionView),
    /** What a person changed in the file since the last one. */
    edited: z.array(soulChangeView),
  }),
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
