import type { Socket } from "node:net";

/** What comes in on a socket, asked for in pieces of a known shape. One reader at a time. */
export interface ByteSource {
  /** Up to and without the next CRLF (a lone LF is no end of line), as Latin-1. Throws past `limit` bytes. */
  line(limit: number): Promise<string>;
  /** Some bytes that came, at least one and at most `most`; undefined when nothing will come any more. */
  some(most: number): Promise<Buffer | undefined>;
  /** True once anything came. */
  readonly began: boolean;
}

/** The other side said something that is no proper answer. */
export class MalformedAnswer extends Error {}

/** The connection ended in the middle of an answer, or before it. */
export class BrokenConnection extends Error {}

/** More than this waits in the socket instead of here. */
const MOST_KEPT = 1024 * 1024;

export function readFrom(socket: Socket): ByteSource {
  let waiting: Buffer = Buffer.alloc(0);
  let began = false;
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  socket.on("data", (bytes: Buffer) => {
    began = true;
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    if (waiting.length > MOST_KEPT) socket.pause();
    wake?.();
  });
  socket.on("error", (error) => (failure = error));
  socket.on("close", () => {
    ended = true;
    wake?.();
  });

  /** Resolves to false when there is nothing more to wait for. */
  const more = async (): Promise<boolean> => {
    if (ended) return false;
    const before = waiting.length;
    socket.resume();
    await new Promise<void>((resolve) => (wake = resolve));
    wake = undefined;
    return waiting.length > before;
  };
  const take = (count: number): Buffer => {
    const taken = waiting.subarray(0, count);
    waiting = waiting.subarray(count);
    return taken;
  };

  return {
    get began() {
      return began;
    },
    async line(limit) {
      for (let from = 0; ;) {
        const end = waiting.indexOf("\r\n", from, "latin1");
        if (end > limit || (end === -1 && waiting.length > limit)) {
          throw new MalformedAnswer("a line of the answer is too long");
        }
        if (end !== -1) return take(end + 2).toString("latin1", 0, end);
        from = Math.max(0, waiting.length - 1);
        if (!(await more())) throw new BrokenConnection("the connection ended", { cause: failure });
      }
    },
    async some(most) {
      while (waiting.length === 0) {
        if (await more()) continue;
        if (failure !== undefined) throw new BrokenConnection("the connection broke", { cause: failure });
        return undefined;
      }
      return take(Math.min(most, waiting.length));
    },
  };
}
