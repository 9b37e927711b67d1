import { subscribe } from "node:diagnostics_channel";
import type { Phase } from "../protocol.ts";

/**
 * The fetch of the providers. It reports the phase of a request, counts complete lines (not bytes) as signs of life, so
 * that single bytes do not count as an answer, limits the size of a response, and follows no redirect, because the key
 * would be sent along.
 */
export interface FetchObserver {
  enter(phase: Phase): void;
  alive(): void;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

export function createObservedFetch(observer: FetchObserver): typeof fetch {
  let connecting = false;
  // Node's fetch does not report when the connection is made; this channel does.
  subscribe("undici:client:sendHeaders", () => {
    if (connecting) observer.enter("headers");
    connecting = false;
  });

  return async (input, init) => {
    connecting = true;
    observer.enter("connect");
    try {
      const response = await fetch(input, { ...init, redirect: "error" });
      observer.enter("body");
      const { status, statusText, headers, body } = response;
      return body === null ? response : new Response(observed(body, observer), { status, statusText, headers });
    } finally {
      connecting = false;
    }
  };
}

function observed(body: ReadableStream<Uint8Array>, observer: FetchObserver): ReadableStream<Uint8Array> {
  let total = 0;
  let line = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const newline = chunk.lastIndexOf(NEWLINE);
        total += chunk.length;
        line = newline === -1 ? line + chunk.length : chunk.length - newline - 1;
        if (total > MAX_BYTES) throw new Error(`the provider sent more than ${MAX_BYTES} bytes`);
        if (line > MAX_LINE) throw new Error(`the provider sent a line of more than ${MAX_LINE} bytes`);
        if (newline !== -1) observer.alive();
        controller.enqueue(chunk);
      },
    }),
  );
}
