import { SYSTEM } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import type { Execute } from "../core/define.ts";

/**
 * Posts a message of the system in a channel or a direct message. It has no mentions and wakes no agent. `key` is an
 * idempotency key: the caller must not post a second notice with it. Clients that follow `run` receive the notice.
 */
export async function postNotice(
  ctx: Execute,
  target: Target,
  body: string,
  key: string | null = null,
  run: string | null = null,
): Promise<void> {
  const space = formatSpace(targetSpace(target));
  const id = ctx.newId("msg");
  await ctx.store.messages.append(
    {
      id,
      space,
      sender: SYSTEM,
      kind: "notice",
      addressee: null,
      body,
      resource: null,
      mentions: [],
      root: id,
      cause: null,
      depth: 0,
      run,
      createdAt: ctx.now,
      onBehalfOf: null,
    },
    key,
  );
  await ctx.emit({ type: "message.posted", space, message: id });
}
