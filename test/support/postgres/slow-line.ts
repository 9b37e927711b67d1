import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line to a server of loopback on which everything takes so long, in each direction. */
export async function slowLine(port: number, delayMs: number): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("data", (data) => setTimeout(() => to.write(data), delayMs));
    from.on("close", () => to.destroy());
    from.on("error", () => {});
  };
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port, host: "127.0.0.1", noDelay: true });
    pass(client, target);
    pass(target, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
