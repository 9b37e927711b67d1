import { fileFault } from "../../files/file-fault.ts";
import { Fault } from "../../kernel/fault.ts";

/** One thing the doctor looked at: what was found, in one line, and what to do about it. */
export interface Finding {
  /** What was looked at, in one word. */
  readonly check: string;
  /** `warning`: works, but not for long or not for everyone. `fixed`: was wrong until now. */
  readonly state: "ok" | "warning" | "problem" | "fixed";
  readonly message: string;
  /** The next step; null when there is nothing to do. */
  readonly next: string | null;
}

export function fine(check: string, message: string): Finding {
  return { check, state: "ok", message, next: null };
}

export function warning(check: string, message: string, next: string): Finding {
  return { check, state: "warning", message, next };
}

export function wrong(check: string, message: string, next: string): Finding {
  return { check, state: "problem", message, next };
}

export function fixed(check: string, message: string): Finding {
  return { check, state: "fixed", message, next: null };
}

/** Looks, and takes what keeps it from looking as what was found: nothing that is broken ends the examination. */
export async function examining(
  check: string,
  look: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const fault = fileFault("read", `what is looked at for "${check}"`, error);
    if (!(fault instanceof Fault)) throw fault;
    return [wrong(check, fault.message, fault.hint ?? "Correct that first.")];
  }
}
