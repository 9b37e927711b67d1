import * as contract from "../../contract/runs.ts";
import { promptOfTranscript } from "../../domain/agent/transcript.ts";
import { estimateTokens } from "../../guard/context/estimate-tokens.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { unknownRun } from "./show-run.ts";

export const showPrompt = query(contract.showPrompt, {
  access: persons,

  async execute({ id }, ctx) {
    return ctx.read(async (store) => {
      if ((await store.runs.byId(id)) === undefined) return unknownRun(id);
      const stored = await store.history.prompt(id);
      const prompt = stored === null ? null : (stored.prompt ?? promptIn(stored.firstTranscript));
      if (stored === null || prompt === null) {
        const removedAt = await store.history.detailsRemovedAt(id);
        return removedAt === null
          ? refuse("not_found", `The prompt of ${id} is not stored.`, {
              hint: "It is stored with the first finished step, since this version.",
            })
          : refuse("not_found", `The prompt of ${id} was removed, because it was old.`, {
              hint: "How long prompts stay is set by retention in moniro.yaml.",
            });
      }
      const { system, tools } = stored;
      return ok({
        run: id,
        system,
        prompt,
        tools: contract.runPromptView.shape.tools.parse(JSON.parse(tools)),
        tokens: {
          system: estimateTokens(system),
          prompt: estimateTokens(prompt),
          tools: tools === "[]" ? 0 : estimateTokens(tools),
        },
      });
    });
  },
});

function promptIn(transcript: string): string | null {
  return transcript === "" ? null : promptOfTranscript(JSON.parse(transcript));
}
