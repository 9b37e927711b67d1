import * as contract from "../../contract/storage/stored-data.ts";
import { FIRST_POSITION, formatPosition, nextStage, parsePosition } from "../../domain/workspace/prune-stage.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { NOTHING_PRUNED, pruneSteps } from "./prune-steps.ts";

/**
 * One part of removing old data. Each part is a short transaction. It is safe to repeat or to stop anywhere: the store
 * says what is still there.
 */
export const pruneStore = proposal(contract.pruneStore, {
  access: persons,

  async execute({ dryRun, after }, ctx) {
    const position = after === undefined ? FIRST_POSITION : parsePosition(after);
    if (position === undefined) return refuse("invalid", "That is not where a part ended.", { hint: "Begin again." });
    const { pruned, at } = await pruneSteps[position.stage](ctx, position.at, dryRun);
    const next = at === null ? nextStage(position.stage) : { ...position, at };
    return ok({
      pruned: { ...NOTHING_PRUNED, ...pruned },
      next: next === null ? null : formatPosition(next),
    });
  },
});
