import { AsyncLocalStorage } from "node:async_hooks";
import type { Phase } from "../protocol.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Who makes a request: it is told about its phases, and the request ends when `left` is aborted. */
export interface RequestObserver {
  enter(phase: Phase): void;
  readonly left: AbortSignal;
}

const OBSERVER = new AsyncLocalStorage<RequestObserver>();

/** The requests that the work makes with `observedFetch` are observed by this observer. */
export function observeRequests<T>(observer: RequestObserver, work: () => T): T {
  return OBSERVER.run(observer, work);
}

/**
 * The fetch of all providers of the process, which share their connections. It reports the phase of a request until it is
 * sent, ends with the session, limits the size of a response, and follows no redirect, because the key would be sent along.
 */
export const observedFetch: typeof fetch = async (input, init) => {
  const observer = OBSERVER.getStore();
  if (observer === undefined) throw new Error("a request that belongs to no session");
  const { left } = observer;
  observer.enter("connect");
  const own = init?.signal ?? undefined;
  const signal = own === undefined ? left : AbortSignal.any([own, left]);
  const response = await fetch(input, {
    ...init,
    signal,
    redirect: "error",
    ...observedDispatcher(() => observer.enter("headers")),
  });
  const { status, statusText, headers, body } = response;
  // Only what was not compressed could be counted as it came.
  if (body === null || (!headers.has("content-encoding") && SHARED !== undefined)) return response;
  const count = sizeLimit();
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counting), { status, statusText, headers });
};

/** The part of undici's handler that is observed: https://undici.nodejs.org/#/docs/api/Dispatcher */
interface RequestHandler {
  onConnect?(abort: (error: Error) => void, ...more: unknown[]): unknown;
  onData?(chunk: Uint8Array, ...more: unknown[]): unknown;
}

interface SharedDispatcher {
  dispatch(options: object, handler: RequestHandler): unknown;
}

const SHARED = patientDispatcher();

/**
 * Node's fetch has limits of its own: ten seconds to connect, five minutes for everything else. The limits of the agent
 * are counted by the engine, and may be longer. The dispatcher is made like the one Node has, which knows the proxies.
 */
function patientDispatcher(): SharedDispatcher | undefined {
  void Response; // Node makes its dispatcher when this is first used.
  const own: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  const dispatcher = own?.constructor;
  if (typeof dispatcher !== "function") return undefined;
  const noLimits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } };
  return Reflect.construct(dispatcher, [noLimits]) as SharedDispatcher;
}

/** Calls `connected` when the connection is made, which fetch does not report, and counts what comes. */
function observedDispatcher(connected: () => void): object {
  if (SHARED === undefined) return {};
  const dispatcher: SharedDispatcher = {
    dispatch(options, handler) {
      const { onConnect, onData } = handler;
      const count = sizeLimit();
      let abort: (error: Error) => void = () => {};
      handler.onConnect = function observed(this: RequestHandler, give, ...more) {
        abort = give;
        connected();
        return onConnect?.call(this, give, ...more);
      };
      handler.onData = function observed(this: RequestHandler, chunk, ...more) {
        try {
          count(chunk);
        } catch (error) {
          abort(error as Error);
          return false;
        }
        return onData?.call(this, chunk, ...more);
      };
      return SHARED.dispatch(options, handler);
    },
  };
  return { dispatcher };
}

/** Returns a function that throws when the chunks it gets are too much together. */
function sizeLimit(): (chunk: Uint8Array) => void {
  let total = 0;
  let line = 0;
  return (chunk) => {
    const newline = chunk.lastIndexOf(NEWLINE);
    total += chunk.length;
    line = newline === -1 ? line + chunk.length : chunk.length - newline - 1;
    if (total > MAX_BYTES) throw new Error(`the provider sent more than ${MAX_BYTES} bytes`);
    if (line > MAX_LINE) throw new Error(`the provider sent a line of more than ${MAX_LINE} bytes`);
  };
}
