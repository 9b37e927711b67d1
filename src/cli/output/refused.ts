import { REFUSAL_ANSWERS } from "../../contract/service/errors.ts";
import type { Refusal, RefusalCode } from "../../kernel/refusal.ts";

/** A refusal on its way to the person: a command that is refused has nothing left to do but to say so. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "Refused";
    this.refusal = refusal;
  }
}

/** From the last event of a stream, whose code may also be that of a failure. */
export function refusedBy(event: { readonly code: string; readonly message: string; readonly hint?: string }): Refused {
  const { code, message, hint } = event;
  return new Refused({ code: isRefusal(code) ? code : "failed", message, ...(hint === undefined ? {} : { hint }) });
}

function isRefusal(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSAL_ANSWERS, code);
}
