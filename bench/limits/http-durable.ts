import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openMessageInserts } from "./durable-insert.ts";

/** The least that accepts a message durably over HTTP: Node's server, JSON, and no check of anything. */
export interface LimitServer extends AsyncDisposable {
  readonly port: number;
}

/** Requests that arrive in one turn of the event loop share a commit, and are answered after it. */
export async function serveGroupedInserts(file: string): Promise<LimitServer> {
  const inserts = openMessageInserts(file, { event: true });
  let waiting: { readonly message: string; readonly response: ServerResponse }[] = [];
  let count = 0;
  const commit = (): void => {
    const group = waiting;
    waiting = [];
    inserts.begin();
    const ids = group.map(({ message }) => inserts.add(count++, message));
    inserts.commit();
    group.forEach(({ response }, i) => answer(response, { id: ids[i], seq: count, recipients: ["alice", "bob"] }));
  };
  const server = createServer((request, response) => {
    readJson(request, ({ message }) => {
      if (waiting.push({ message, response }) === 1) setImmediate(commit);
    });
  });
  return listening(server, () => inserts[Symbol.dispose]());
}

/** Says hello after it has flushed a line to disk. */
export async function serveFlushedHello(file: string): Promise<LimitServer> {
  const fd = openSync(file, "a");
  const line = Buffer.from(`${"x".repeat(300)}\n`);
  const server = createServer((request, response) => {
    readJson(request, () => {
      writeSync(fd, line);
      fdatasyncSync(fd);
      answer(response, { hello: "world" });
    });
  });
  return listening(server, () => closeSync(fd));
}

export function readJson(request: IncomingMessage, then: (body: { readonly message: string }) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () => then(JSON.parse(Buffer.concat(chunks).toString()) as { message: string }));
}

export function answer(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

export async function listening(server: Server, close: () => void): Promise<LimitServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      close();
    },
  };
}
