import type { ServerResponse } from "node:http";
import type { Answer, FakeAnswer } from "./script.ts";
import type { WireEvent, WireFormat } from "./wire.ts";

/** Sends an answer as server-sent events, with the fault the script asks for. */
export async function sendStream(
  response: ServerResponse,
  reply: FakeAnswer,
  answer: Answer,
  format: WireFormat,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...reply.headers });
  const write = (text: string) =>
    writeBytes(response, reply.crlf === true ? text.replaceAll("\n", "\r\n") : text, reply.chunkBytes);
  for (const event of format.begin(answer)) await write(rendered(event));
  if (reply.fault !== undefined && (await misbehave(response, reply.fault, answer, format, write))) return;
  await reply.endsAfter;
  for (const event of format.finish(answer)) await write(rendered(event));
  response.end();
}

function rendered({ event, data }: WireEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** True when the stream is over. */
async function misbehave(
  response: ServerResponse,
  fault: NonNullable<FakeAnswer["fault"]>,
  answer: Answer,
  format: WireFormat,
  write: (text: string) => Promise<void>,
): Promise<boolean> {
  if (typeof fault === "object") {
    await write(rendered(format.errorEvent(fault.error)));
    response.end();
    return true;
  }
  switch (fault) {
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "silence":
      return true;
    case "missing-end":
      response.end();
      return true;
    case "garbage":
      await write("data: <html>502 Bad Gateway</html>\n\n");
      return false;
    case "cut-json":
      await write(rendered(format.delta(answer, "cut")).slice(0, -12));
      response.end();
      return true;
    case "endless-line":
      await write("data: ");
      while (!response.destroyed) await write("x".repeat(64 * 1024));
      return true;
    case "endless-text":
      while (!response.destroyed) await write(rendered(format.delta(answer, "y".repeat(16 * 1024))));
      return true;
    case "keep-alives":
      while (!response.destroyed) {
        await write(': still here\n\nevent: ping\ndata: {"type":"ping"}\n\n');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return true;
    default:
      throw new Error(`no such fault: ${String(fault satisfies never)}`);
  }
}

async function writeBytes(response: ServerResponse, text: string, chunkBytes: number | undefined): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  const size = chunkBytes ?? bytes.length;
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    const flushed = response.write(bytes.subarray(from, from + size));
    if (flushed && chunkBytes !== undefined) await new Promise<void>((resolve) => setImmediate(resolve));
    if (!flushed) await drained(response);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
