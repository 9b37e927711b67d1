import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer, request } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTlsFront } from "../../src/http/tls-front.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/tls");
const cert = readFileSync(join(FOLDER, "cert.pem"), "utf8");
const key = readFileSync(join(FOLDER, "key.pem"), "utf8");

async function startFront(isLocal: boolean) {
  const strangers: string[] = [];
  const answer = (kind: string) => (_: unknown, response: { end(text: string): void }) => response.end(kind);
  const plain = createServer(answer("plain"));
  const secure = createSecureServer({ cert, key }, answer("secure"));
  const front = createTlsFront(plain, secure, {
    silenceMs: 5_000,
    onPlainStranger: () => void strangers.push("closed"),
    isLocal: () => isLocal,
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    port: (front.address() as AddressInfo).port,
    strangers,
    [Symbol.dispose]() {
      front.close();
      plain.closeAllConnections();
      secure.closeAllConnections();
    },
  };
}

/** What comes back for a plain request, until the connection ends. */
async function askPlainly(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await once(socket, "close");
  return text;
}

async function askSecurely(port: number): Promise<string> {
  const asked = request({ port, host: "localhost", ca: cert, agent: false });
  asked.end();
  const [response] = (await once(asked, "response")) as [AsyncIterable<Buffer>];
  let text = "";
  for await (const piece of response) text += String(piece);
  return text;
}

describe("one port for TLS and for this machine", () => {
  it("[http.tls] takes TLS from everybody, and plain HTTP from this machine alone", async () => {
    using local = await startFront(true);
    expect(await askSecurely(local.port)).toBe("secure");
    expect(await askPlainly(local.port)).toContain("plain");
    using elsewhere = await startFront(false);
    expect(await askSecurely(elsewhere.port)).toBe("secure");
    expect(await askPlainly(elsewhere.port)).toBe("");
    expect(elsewhere.strangers).toEqual(["closed"]);
  });
});
