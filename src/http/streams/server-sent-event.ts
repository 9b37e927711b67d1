/** One event of a `text/event-stream`. Its data is JSON, which holds no line end: one line is enough. */
export function serverSentEvent(name: string, data: unknown, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Says that the connection is alive; no event. */
export const HEARTBEAT = Buffer.from(":\n\n");
export const HEARTBEAT_MS = 15_000;
