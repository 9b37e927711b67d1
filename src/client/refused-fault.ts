import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";

/** A refusal where the caller has no use for one: the daemon is there, but not for us. */
export function refusedFault({ message, hint }: Refusal): Fault {
  return new Fault("daemon_unreachable", message, hint === undefined ? {} : { hint });
}
