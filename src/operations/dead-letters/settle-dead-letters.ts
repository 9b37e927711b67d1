import type { z } from "zod";
import type { deadLettersInput, deadLettersOutput } from "../../contract/dead-letters.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { Execute } from "../core/define.ts";
import { deadLetterFilter, findDeadLetters } from "./find-dead-letters.ts";

/** Settles one page of dead letters. Those that cannot be settled stay, and are no reason to stop. */
export async function settleDeadLetters(
  ctx: Execute,
  data: z.output<typeof deadLettersInput>,
  settle: (delivery: DeliveryRecord) => Promise<Result<unknown, Refusal>>,
): Promise<Result<z.output<typeof deadLettersOutput>, Refusal>> {
  const filter = deadLetterFilter(data, ctx.caller);
  if (!filter.ok) return filter;
  const found = await findDeadLetters(ctx.store, filter.value, data);
  if (!found.ok) return found;
  const refused: { id: string; reason: string }[] = [];
  for (const { delivery } of found.value) {
    const settled = await settle(delivery);
    if (!settled.ok) refused.push({ id: delivery.id, reason: settled.error.message });
  }
  const next = found.value.length < data.limit ? null : (found.value.at(-1)?.delivery.id ?? null);
  return ok({ settled: found.value.length - refused.length, refused, next });
}
