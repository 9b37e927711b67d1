import type { Server as PlainServer } from "node:http";
import type { Server, Socket } from "node:net";
import type { Server as SecureServer } from "node:https";

/** PEM texts. */
export interface TlsKeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface TlsFrontParts {
  /** A connection on which so long nothing comes is closed. */
  readonly silenceMs: number;
  /** Called when a plain connection from another machine was closed. */
  readonly onPlainStranger: () => void;
  readonly isLocal?: (socket: Socket) => boolean;
}

/** The first byte of a TLS handshake. No HTTP method begins with it. */
const HANDSHAKE = 0x16;
const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;

/** A connection of a machine to itself has the same address at both ends, or loopback. */
function isThisMachine({ remoteAddress = "", localAddress }: Socket): boolean {
  return LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;
}

/**
 * Listens on one port for both: TLS for everybody, and plain HTTP for this machine alone, so that commands reach the daemon
 * as always. A plain connection from elsewhere is closed before anything of it is read.
 */
export function createTlsFront(
  plain: PlainServer,
  secure: SecureServer,
  { silenceMs, onPlainStranger, isLocal = isThisMachine }: TlsFrontParts,
): Server {
  const { createServer } = process.getBuiltinModule("node:net");
  return createServer({ noDelay: true }, (socket: Socket) => {
    const close = (): void => void socket.destroy();
    socket.on("error", close).setTimeout(silenceMs, close);
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.off("timeout", close).setTimeout(0);
      const isSecure = first[0] === HANDSHAKE;
      if (!isSecure && !isLocal(socket)) {
        onPlainStranger();
        return close();
      }
      socket.unshift(first);
      (isSecure ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
}
