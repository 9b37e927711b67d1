import * as contract from "../../contract/reading/unread.ts";
import { PERSON } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";

/** Emits no event: nobody acts on what a person has read. */
export const markRead = proposal(contract.markRead, {
  access: persons,

  async execute({ target, seq }, ctx) {
    const found = callerSpace(target, ctx.caller);
    if (!found.ok) return found;
    const space = formatSpace(found.value);
    // A mark beyond the last message would hide what comes next.
    const [last] = await ctx.store.messages.page({ space, limit: 1 });
    const readTo = await ctx.store.readMarks.advance(space, PERSON, Math.min(seq, last?.seq ?? 0));
    return ok({ space, readTo });
  },
});
