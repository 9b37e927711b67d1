import { fileFault } from "../../files/file-fault.ts";
import { Fault } from "../../kernel/fault.ts";

/** The result of one check, in one line, and what to do about it. */
export interface Finding {
  /** What was checked, in one word. */
  readonly check: string;
  /** `warning`: works, but not for long or not for everyone. `fixed`: this check repaired it. */
  readonly state: "ok" | "warning" | "problem" | "fixed";
  readonly message: string;
  /** The next step; null when there is nothing to do. */
  readonly next: string | null;
  /** The project it is about, where that may be another one than the examined. */
  readonly dir?: string;
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

/** Runs a check. A Fault becomes a finding, so that the other checks still run. */
export async function runCheck(
  name: string,
  check: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const fault = fileFault("read", `what is looked at for "${name}"`, error);
    if (!(fault instanceof Fault)) throw fault;
    return [wrong(name, fault.message, fault.hint ?? "Correct that first.")];
  }
}
