import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { BrokenConnection, MalformedResponse, readFrom } from "../../../src/client/transport/byte-source.ts";
import { readBody, readHead } from "../../../src/client/transport/http-response.ts";

/** Sends each piece as a packet of its own, then closes; reads as many answers as are asked for. */
async function readAnswers(pieces: readonly (string | Buffer)[], count = 1) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.setNoDelay(true);
    const send = ([piece, ...rest]: readonly (string | Buffer)[]): void => {
      if (piece === undefined) return void socket.end();
      socket.write(piece);
      setImmediate(() => send(rest));
    };
    send(pieces);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  try {
    const source = readFrom(socket);
    const answers = [];
    for (let n = 0; n < count; n += 1) {
      const head = await readHead(source);
      const parts: Buffer[] = [];
      for await (const part of readBody(source, head)) parts.push(part);
      answers.push({ ...head, body: Buffer.concat(parts).toString() });
    }
    return answers;
  } finally {
    socket.destroy();
    server.close();
  }
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

describe("answers of a daemon", () => {
  it("are read whatever the pieces they come in, one after another on one connection", async () => {
    const text = [
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nX-One:  a  \r\nx-one: b\r\n\r\nnaïve!",
      `${CHUNKED}3\r\nabc\r\nA;name=value\r\n0123456789\r\n0\r\ntrailer: x\r\n\r\n`,
      "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ].join("");
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const [first, second, third, fourth] = await readAnswers(pieces, 4);
      expect(first).toMatchObject({ status: 200, body: "naïve!", keepAlive: true });
      expect(first?.headers.get("x-one")).toBe("a, b");
      expect(second).toMatchObject({ status: 200, body: "abc0123456789" });
      expect(third).toMatchObject({ status: 204, body: "" });
      expect(fourth).toMatchObject({ status: 404, body: "", keepAlive: false });
    }
  });

  it("without a length end with the connection", async () => {
    const [answer] = await readAnswers(["HTTP/1.1 200 OK\r\n\r\nall ", "of it"]);
    expect(answer).toMatchObject({ body: "all of it", keepAlive: false });
  });

  it("that are larger than what is kept in memory arrive whole", async () => {
    const body = "0123456789".repeat(400_000);
    const [answer] = await readAnswers([`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, body]);
    expect(answer?.body === body).toBe(true);
  });

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n\r\n"],
    ["an older version", "HTTP/1.0 200 OK\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
    ["a header with a space before the colon", "HTTP/1.1 200 OK\r\nA : x\r\n\r\n"],
    ["a folded header", "HTTP/1.1 200 OK\r\nA: x\r\n y\r\n\r\n"],
    ["a control character in a header", "HTTP/1.1 200 OK\r\nA: \u0000\r\n\r\n"],
    ["two different lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a signed length", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na"],
    ["an encoding that is not chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
    ["a chunk without a size", `${CHUNKED}\r\nabc\r\n`],
    ["a chunk of negative size", `${CHUNKED}-1\r\nabc\r\n`],
    ["a chunk longer than it says", `${CHUNKED}1\r\nabc\r\n0\r\n\r\n`],
    ["a chunk of absurd size", `${CHUNKED}fffffffff\r\nabc\r\n`],
    ["an endless line", `HTTP/1.1 200 ${"x".repeat(20_000)}`],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(200)}\r\n`],
    ["nothing but interim answers", "HTTP/1.1 100 Continue\r\n\r\n".repeat(20)],
  ])("are refused when they are malformed: %s", async (_what, text) => {
    await expect(readAnswers([text])).rejects.toThrow(MalformedResponse);
  });

  it.each([
    ["nothing at all", ""],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
    ["half a chunk", `${CHUNKED}5\r\nabc`],
    ["no last chunk", `${CHUNKED}3\r\nabc\r\n`],
  ])("that were cut off are no answers: %s", async (_what, text) => {
    await expect(readAnswers([text])).rejects.toThrow(BrokenConnection);
  });
});
