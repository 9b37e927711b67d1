import type { Socket } from "node:net";

/** Reads a socket in pieces of a known shape. One reader at a time. */
export interface ByteSource {
  /** Returns the text before the next CRLF (a lone LF does not end a line), as Latin-1. Throws past `limit` bytes. */
  line(limit: number): Promise<string>;
  /** Returns at least one and at most `limit` bytes; undefined at the end of the connection. */
  some(limit: number): Promise<Buffer | undefined>;
}

/** The peer sent something that is not a valid response. */
export class MalformedResponse extends Error {}

/** The connection ended before or during a response. */
export class BrokenConnection extends Error {}

/** Of a BrokenConnection without any byte of a response. */
export const CUT_OFF = "the connection ended";

/** Above this the socket is paused. */
const MAX_BUFFERED = 1024 * 1024;

export function readFrom(socket: Socket): ByteSource {
  let buffered: Buffer = Buffer.alloc(0);
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  socket.on("data", (bytes: Buffer) => {
    buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes]);
    if (buffered.length > MAX_BUFFERED) socket.pause();
    wake?.();
  });
  socket.on("error", (error) => (failure = error));
  socket.on("close", () => {
    ended = true;
    wake?.();
  });

  /** Waits for more bytes; false at the end of the connection. */
  const more = async (): Promise<boolean> => {
    if (ended) return false;
    const before = buffered.length;
    socket.resume();
    await new Promise<void>((resolve) => (wake = resolve));
    wake = undefined;
    return buffered.length > before;
  };
  const take = (count: number): Buffer => {
    const taken = buffered.subarray(0, count);
    buffered = buffered.subarray(count);
    return taken;
  };

  return {
    async line(limit) {
      for (let from = 0; ;) {
        const end = buffered.indexOf("\r\n", from, "latin1");
        if (end > limit || (end === -1 && buffered.length > limit)) {
          throw new MalformedResponse("a line of the answer is too long");
        }
        if (end !== -1) return take(end + 2).toString("latin1", 0, end);
        from = Math.max(0, buffered.length - 1);
        if (!(await more())) throw new BrokenConnection(CUT_OFF, { cause: failure });
      }
    },
    async some(limit) {
      while (buffered.length === 0) {
        if (await more()) continue;
        if (failure !== undefined) throw new BrokenConnection("the connection broke", { cause: failure });
        return undefined;
      }
      return take(Math.min(limit, buffered.length));
    },
  };
}
