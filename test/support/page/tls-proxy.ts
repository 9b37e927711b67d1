import { readFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { createServer, request as requestSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const TLS = join(import.meta.dirname, "../../fixtures/tls");

/** A reverse proxy with TLS in front of a daemon, as people have one: it passes on `Host` and hands on every byte at once. */
export interface TlsProxy extends AsyncDisposable {
  readonly port: number;
  /** The status of an answer for another host name. */
  statusFor(host: string): Promise<number | undefined>;
}

export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const server = createServer(
    { cert: readFileSync(join(TLS, "cert.pem")), key: readFileSync(join(TLS, "key.pem")) },
    (incoming, response) => {
      const { method, url: path, headers } = incoming;
      const passed = requestPlain({ hostname, port: targetPort, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        response.flushHeaders();
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      response.on("close", () => passed.destroy());
      incoming.pipe(passed);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    statusFor: (host) =>
      new Promise((resolve, reject) => {
        const asked = requestSecure(
          { host: "127.0.0.1", port, path: "/", headers: { host }, rejectUnauthorized: false },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        asked.on("error", reject);
        asked.end();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
