import { REFUSAL_ANSWERS } from "../contract/service/errors.ts";
import type { Refusal, RefusalCode } from "../kernel/refusal.ts";

/** Ends a command with a refusal, which `reportFailure` prints. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "Refused";
    this.refusal = refusal;
  }
}

/** Returns the refusal in the last event of a stream. The code of a fault becomes "failed". */
export function refusedBy(event: { readonly code: string; readonly message: string; readonly hint?: string }): Refused {
  const { code, message, hint } = event;
  return new Refused({ code: isRefusal(code) ? code : "failed", message, ...(hint === undefined ? {} : { hint }) });
}

function isRefusal(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSAL_ANSWERS, code);
}
