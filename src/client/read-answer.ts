import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import { readText, type WireAnswer } from "./transport/connection.ts";

/**
 * What a daemon answered: a value, a refusal, or a failure of its world that is thrown as the fault it was there. The
 * shape of a value is the daemon's promise; a daemon of another version says so in its version.
 */
export async function readAnswer<T>(answer: WireAnswer): Promise<Result<T, Refusal>> {
  const value = parse(await readText(answer));
  if (answer.status < 300) return ok(value as T);
  return err(await refusalIn(answer.status, value));
}

/** Throws what is no refusal. */
async function refusalIn(status: number, value: unknown): Promise<Refusal> {
  const error = fieldOf(value, "error");
  const code = fieldOf(error, "code");
  const message = fieldOf(error, "message");
  if (typeof code !== "string" || typeof message !== "string") {
    throw new Fault("daemon_unreachable", `The daemon answered ${status} and did not say why.`);
  }
  const hint = fieldOf(error, "hint");
  const more = typeof hint === "string" ? { hint } : {};
  const { FAULT_ANSWERS, REFUSAL_ANSWERS } = await import("../contract/service/errors.ts");
  if (isKeyOf(REFUSAL_ANSWERS, code)) {
    const details = fieldOf(error, "details");
    return { code, message, ...more, ...(isRecord(details) ? { details } : {}) };
  }
  if (isKeyOf(FAULT_ANSWERS, code)) throw new Fault(code, message, more);
  throw new Error(message);
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault("daemon_unreachable", "The daemon answered something that cannot be read.", { cause: error });
  }
}

function isKeyOf<K extends string>(table: Readonly<Record<K, unknown>>, key: string): key is K {
  return Object.hasOwn(table, key);
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
