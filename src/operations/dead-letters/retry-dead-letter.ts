import * as contract from "../../contract/dead-letters.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findDeadLetter, settleDeadLetter } from "./dead-letter.ts";

export const retryDeadLetter = proposal(contract.retryDeadLetter, {
  access: persons,

  async prepare(_data, ctx) {
    // The person may just have raised the budget or corrected the agent.
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const found = await findDeadLetter(ctx, data);
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
