import { createHash } from "node:crypto";
import { z } from "zod";
import type { EngineName } from "../../domain/agent/definition.ts";
import { parseJson } from "./parse-json.ts";
import type { PendingCall } from "./permission-broker.ts";

/**
 * The transcript of a command line: the program keeps the conversation, we keep its name. A session is gone on with
 * only under the system prompt it began with, because programs hold on to the first one they were given.
 */
const pendingCall = z.object({ approval: z.string(), call: z.string(), digest: z.string(), words: z.string() });

const schema = z.object({
  engine: z.string(),
  session: z.string().min(1).nullable(),
  system: z.string(),
  waiting: z.object({ asked: z.array(pendingCall).min(1), prompt: z.string() }).optional(),
});

/** What a run that waits for a person goes on with. */
export interface WaitingTurn {
  /** As `PermissionBroker.asked` says. */
  readonly asked: readonly PendingCall[];
  /** What the turn was asked, for the case that its session is lost by then. */
  readonly prompt: string;
}

export function writeSession(
  engine: EngineName,
  session: string | null,
  system: string,
  waiting: WaitingTurn | null = null,
): string {
  const record: z.input<typeof schema> = { engine, session, system: fingerprint(system) };
  return JSON.stringify(waiting === null ? record : { ...record, waiting });
}

/** The session to go on with; null when the text names none that fits. */
export function readSession(engine: EngineName, text: string | null, system: string): string | null {
  const record = readRecord(text);
  return record?.engine === engine && record.system === fingerprint(system) ? record.session : null;
}

/** What the run of this transcript waited for; null when it did not. */
export function readWaiting(text: string | null): WaitingTurn | null {
  return readRecord(text)?.waiting ?? null;
}

function readRecord(text: string | null): z.output<typeof schema> | undefined {
  return text === null ? undefined : schema.safeParse(parseJson(text)).data;
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
