import type { Soul } from "../../domain/agent/definition.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { SoulReading } from "../../ports/soul-file.ts";
import type { Services } from "../core/define.ts";

export interface CurrentSoul extends SoulReading {
  readonly baseline: Soul | undefined;
  readonly soul: Soul | undefined;
}

/** Returns the soul as it is now. It is synchronous, so it may be called in a transaction. */
export function currentSoul(services: Services, agent: string): Result<CurrentSoul, Refusal> {
  const context = services.personal(agent);
  if (!context.ok) return context;
  const baseline = services.definitions.agent(agent)?.soul;
  const reading = context.value.soul.read();
  return ok({ ...reading, baseline, soul: effectiveSoul(baseline, reading.state.learned) });
}
