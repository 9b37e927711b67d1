import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Something else that listens on a port, and keeps every byte it was sent. */
export interface Stranger extends AsyncDisposable {
  readonly port: number;
  /** Everything that arrived so far, on all connections. */
  heard(): string;
  /** How many connections were made. */
  readonly calls: () => number;
}

export async function startStranger(answer: (socket: Socket, heard: string) => void): Promise<Stranger> {
  let heard = "";
  let calls = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    calls += 1;
    sockets.add(socket);
    let said = "";
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
      said += bytes.toString("latin1");
      if (said.includes("\r\n\r\n")) answer(socket, said);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => heard,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
