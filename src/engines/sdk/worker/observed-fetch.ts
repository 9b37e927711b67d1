import { subscribe } from "node:diagnostics_channel";
import type { Phase } from "../protocol.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Returns the fetch of the providers. It reports the phase of a request until it is sent, limits the size of a response, and follows no
 * redirect, because the key would be sent along.
 */
export function createObservedFetch(enter: (phase: Phase) => void): typeof fetch {
  let connecting = false;
  // Node's fetch does not report when the connection is made; this channel does.
  subscribe("undici:client:sendHeaders", () => {
    if (connecting) enter("headers");
    connecting = false;
  });
  const patient = patientDispatcher();

  return async (input, init) => {
    connecting = true;
    enter("connect");
    try {
      const response = await fetch(input, { ...init, ...patient, redirect: "error" });
      const { status, statusText, headers, body } = response;
      return body === null ? response : new Response(limited(body), { status, statusText, headers });
    } finally {
      connecting = false;
    }
  };
}

/**
 * Node's fetch has limits of its own: ten seconds to connect, five minutes for everything else. The limits of the agent
 * are counted by the engine, and may be longer. The dispatcher is made like the one Node has, which knows the proxies.
 */
function patientDispatcher(): object {
  void Response; // Node makes its dispatcher when this is first used.
  const own: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  const dispatcher = own?.constructor;
  if (typeof dispatcher !== "function") return {};
  const noLimits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } };
  return { dispatcher: Reflect.construct(dispatcher, [noLimits]) as unknown };
}

function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
        controller.enqueue(chunk);
      },
    }),
  );
}
