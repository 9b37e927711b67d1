import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";

export const SMALL_BODY_BYTES = 64 * 1024;
export const LARGE_BODY_BYTES = 8 * 1024 * 1024;

export const EMPTY_BODY = Buffer.alloc(0);

export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}

/** 0 without a content-length. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/** Reads at most `limit` bytes; a longer body is refused. `disconnected`: there is no client to respond to. */
export function readBody(request: IncomingMessage, limit: number): Promise<Result<Buffer, Refusal> | "disconnected"> {
  if (request.destroyed) return Promise.resolve("disconnected");
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      chunks = [];
      resolve(err(tooLarge(limit)));
    });
    request.on("end", () => {
      const [only = EMPTY_BODY] = chunks;
      resolve(ok(chunks.length < 2 ? only : Buffer.concat(chunks, size)));
    });
    request.on("close", () => resolve("disconnected"));
  });
}

const MAX_DISCARDED_BYTES = 1024 * 1024;

/**
 * Reads and discards what the client still sends, up to a limit. Closing at once would reset the connection before the
 * client has read the response.
 */
export function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) request.socket.destroy();
  });
}

export function tooLarge(limit: number): Refusal {
  return {
    code: "too_large",
    message: `The body is larger than the ${limit / 1024} KiB this route takes.`,
    hint: "Send less, or keep large content as a resource or a document and name it.",
  };
}

export function parseJsonBody(body: Buffer): Result<Readonly<Record<string, unknown>>, Refusal> {
  if (body.length === 0) return ok({});
  if (!isUtf8(body)) return refuse("invalid", "The body is not UTF-8.");
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse("invalid", `The body is not JSON: ${reason}.`);
  }
  return isRecord(value) ? ok(value) : refuse("invalid", "The body must be a JSON object.");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
