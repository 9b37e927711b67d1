import { createServer, type AddressInfo, type Socket } from "node:net";

/**
 * A provider that hangs at connect: the address is https, and the handshake is never answered. A plain TCP connect
 * cannot hang on loopback.
 */
export interface SilentServer extends AsyncDisposable {
  readonly url: string;
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
