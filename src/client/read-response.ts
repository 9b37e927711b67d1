import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import { readText, type WireResponse } from "./transport/connection.ts";

/**
 * Returns the value or the refusal of a response; throws a fault of the daemon as the same fault here. The shape of a
 * value is not checked: the daemon guarantees it, and its version shows when it may differ.
 */
export async function readResponse<T>(response: WireResponse): Promise<Result<T, Refusal>> {
  const value = parse(await readText(response));
  if (response.status < 300) return ok(value as T);
  return err(await refusalIn(response.status, value));
}

/** For a caller that cannot return a refusal. */
export function refusalFault({ message, hint }: Refusal): Fault {
  return new Fault("daemon_unreachable", message, hint === undefined ? {} : { hint });
}

/** Returns the refusal of an error response. Throws any other error. */
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
