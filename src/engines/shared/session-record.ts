import { createHash } from "node:crypto";
import { z } from "zod";
import type { EngineName } from "../../domain/agent/definition.ts";
import { parseJson } from "./parse-json.ts";
import type { PendingCall } from "./permission-broker.ts";

const pendingCall = z.object({ approval: z.string(), call: z.string(), digest: z.string(), words: z.string() });

/**
 * The transcript of a program's run: the program stores the conversation, we store its id. A session is resumed only
 * with the system prompt it began with, because programs do not replace it later.
 */
const schema = z.object({
  engine: z.string(),
  session: z.string().min(1).nullable(),
  system: z.string(),
  waiting: z.object({ asked: z.array(pendingCall).min(1), prompt: z.string() }).optional(),
});

/** What a run needs to continue after a person's decision. */
export interface WaitingTurn {
  /** From `PermissionBroker.pending`. */
  readonly asked: readonly PendingCall[];
  /** The prompt of the turn, in case the session is lost by then. */
  readonly prompt: string;
}

export function writeSession(
  engine: EngineName,
  session: string | null,
  system: string,
  waiting: WaitingTurn | null,
): string {
  const record: z.input<typeof schema> = { engine, session, system: fingerprint(system) };
  return JSON.stringify(waiting === null ? record : { ...record, waiting });
}

/** Returns the session to resume; null when the text holds none of this engine under this system prompt. */
export function readSession(engine: EngineName, text: string | null, system: string): string | null {
  const record = readRecord(text);
  return record?.engine === engine && record.system === fingerprint(system) ? record.session : null;
}

/** Returns what the run of this transcript waits for; null when it does not wait. */
export function readWaiting(text: string | null): WaitingTurn | null {
  return readRecord(text)?.waiting ?? null;
}

function readRecord(text: string | null): z.output<typeof schema> | undefined {
  return text === null ? undefined : schema.safeParse(parseJson(text)).data;
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
