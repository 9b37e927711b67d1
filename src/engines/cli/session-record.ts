import { createHash } from "node:crypto";
import { z } from "zod";
import type { EngineName } from "../../domain/agent/definition.ts";

/**
 * The transcript of a command line: the program keeps the conversation, we keep its name. A session is gone on with
 * only under the system prompt it began with, because programs hold on to the first one they were given.
 */
const schema = z.object({ engine: z.string(), session: z.string().min(1).nullable(), system: z.string() });

export function writeSession(engine: EngineName, session: string | null, system: string): string {
  return JSON.stringify({ engine, session, system: fingerprint(system) } satisfies z.input<typeof schema>);
}

/** The session to go on with; null when the text names none that fits. */
export function readSession(engine: EngineName, text: string | null, system: string): string | null {
  if (text === null) return null;
  const record = schema.safeParse(parsed(text)).data;
  if (record === undefined || record.engine !== engine || record.system !== fingerprint(system)) return null;
  return record.session;
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
