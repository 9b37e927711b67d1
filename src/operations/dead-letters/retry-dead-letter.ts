import { parseSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { deadLetterInput, deadLetterOutput, findDeadLetter, settleDeadLetter } from "./find-dead-letter.ts";
import { proposal } from "../core/define.ts";

export const retryDeadLetter = proposal({
  name: "retry-dead-letter",
  summary: "Deliver a dead letter once more, with all its attempts to use again.",
  input: deadLetterInput,
  output: deadLetterOutput,
  access: persons,

  async prepare(_data, ctx) {
    // Whoever retries has perhaps just raised the budget, or mended the agent, that it died of.
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const found = await findDeadLetter(ctx, data.id);
    if (!found.ok) return found;
    const delivery = found.value;
    const space = parseSpace(delivery.space);
    if (!space.ok) return space;
    if (space.value.kind === "workspace") {
      const status = await ctx.store.workspaces.status(delivery.space);
      const running = checkRunning({ ...space.value, running: status?.state === "open", participants: [] });
      if (!running.ok) return running;
    }
    ctx.wake(delivery.mailbox);
    return settleDeadLetter(ctx, delivery, "revive");
  },
});
