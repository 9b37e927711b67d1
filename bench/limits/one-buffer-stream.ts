import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The least that tells many clients: everybody gets the same buffer, once a turn. */
export interface OneBufferStream extends AsyncDisposable {
  readonly url: string;
  tell(bytes: Buffer): void;
}

export async function startOneBufferStream(): Promise<OneBufferStream> {
  const clients = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.write("event: snapshot\ndata: {}\n\n");
    clients.add(response);
    response.once("close", () => clients.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tell(bytes) {
      for (const client of clients) client.write(bytes);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
