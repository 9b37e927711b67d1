import type { Soul } from "../../domain/agent/definition.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { SoulFile, SoulReading } from "../../ports/soul-file.ts";
import type { Services, Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/** The agent whose soul an operation is about. Inline and ephemeral agents have none beyond their definition. */
export interface SoulOwner {
  readonly agent: string;
  readonly file: SoulFile;
}

export async function soulOwner(ctx: Read, named: string | undefined): Promise<Result<SoulOwner, Refusal>> {
  const owner = await personalOwner(ctx, named);
  return owner.ok ? ok({ agent: owner.value.agent, file: owner.value.context.soul }) : owner;
}

export interface CurrentSoul extends SoulReading {
  readonly baseline: Soul | undefined;
  readonly soul: Soul | undefined;
}

/** Returns the soul as it is now. Awaits nothing, so it may be called in a transaction. */
export function currentSoul(services: Services, agent: string): Result<CurrentSoul, Refusal> {
  const context = services.personal(agent);
  if (!context.ok) return context;
  const baseline = services.definitions.agent(agent)?.soul;
  const reading = context.value.soul.read();
  return ok({ ...reading, baseline, soul: effectiveSoul(baseline, reading.state.learned) });
}
