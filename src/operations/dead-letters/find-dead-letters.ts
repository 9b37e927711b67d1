import type { z } from "zod";
import type { deadLettersInput } from "../../contract/dead-letters.ts";
import { formatSpace } from "../../domain/message/space.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeadLetterFilter, DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { callerSpace } from "../core/caller-space.ts";

type DeadLettersInput = z.output<typeof deadLettersInput>;

export function deadLetterFilter(
  { target, agent, since }: Omit<DeadLettersInput, "limit" | "before">,
  caller: Caller,
): Result<DeadLetterFilter, Refusal> {
  const space = target === undefined ? undefined : callerSpace(target, caller);
  if (space?.ok === false) return space;
  return ok({
    ...(space === undefined ? {} : { space: formatSpace(space.value) }),
    ...(agent === undefined ? {} : { agent }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
  });
}

/** Returns a page of the list. `before` may be settled by now: its place in the list is the same. */
export async function findDeadLetters(
  { deliveries, messages }: StoreReads,
  filter: DeadLetterFilter,
  { before, limit }: Pick<DeadLettersInput, "before" | "limit">,
): Promise<Result<DeliveryWithMessage[], Refusal>> {
  if (before === undefined) return ok(await deliveries.dead({ ...filter, limit }));
  const [last] = await deliveries.byIds([before]);
  const message = last === undefined ? undefined : await messages.byId(last.message);
  if (message === undefined) {
    return refuse("not_found", `There is no delivery "${before.slice(0, 64)}" to go on from.`, {
      hint: "Take the id from: agent-worker dead list",
    });
  }
  return ok(await deliveries.dead({ ...filter, limit, before: { id: before, createdAt: message.createdAt } }));
}
