import type { MemoryMeta } from "../../ports/personal-context.ts";
import { callerName } from "./access.ts";
import type { Read } from "./define.ts";

/**
 * Who writes into the personal context of an agent, and after reading what. It comes from the system, never from the
 * request: see `guard/provenance/provenance.ts`.
 */
export function writerOf(
  { caller, services }: Pick<Read, "caller" | "services">,
  agent: string,
): Pick<MemoryMeta, "source" | "origin"> {
  if (caller.kind !== "agent") return { source: callerName(caller) };
  const { run, space } = caller;
  return { source: agent, origin: { by: agent, run, space, ...services.provenance.of(run) } };
}
