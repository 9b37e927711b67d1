import { createServer, request as send } from "node:http";

/**
 * Puts a token on every request, for programs that cannot. Everything else goes through as it came: also a Host or an
 * Origin that is not the proxy's own, for what is behind it has to refuse those.
 */
export async function startTokenProxy(
  target: string,
  token: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const { hostname, port: targetPort, host, origin } = new URL(target);
  let own = "";
  const server = createServer((request, response) => {
    const { host: asked = "", origin: from, ...headers } = request.headers;
    const isOwn = (name: string): boolean => name === own || name === own.replace("127.0.0.1", "localhost");
    const forwarded = send({
      hostname,
      port: targetPort,
      method: request.method,
      path: request.url,
      headers: {
        ...headers,
        host: isOwn(asked) ? host : asked,
        ...(from === undefined ? {} : { origin: isOwn(from.replace("http://", "")) ? origin : from }),
        authorization: `Bearer ${token}`,
      },
    });
    forwarded.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  own = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url: `http://${own}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
