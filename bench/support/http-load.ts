import { connect } from "node:net";

/**
 * A child of `rest-send`: sends messages on as many connections as told, one at a time on each, and says how long it
 * took. On bare sockets, so that the load costs less than what is measured. JSON of `Load` as the only argument.
 */
export interface Load {
  readonly port: number;
  readonly token: string;
  readonly connections: number;
  readonly count: number;
}

export interface LoadResult {
  readonly ms: number;
  /** Of one request, in milliseconds. */
  readonly p50: number;
}

const { port, token, connections, count } = JSON.parse(process.argv[2] ?? "{}") as Load;
const latencies: number[] = [];
let next = 0;

function requestFor(i: number): string {
  const body = JSON.stringify({ to: "@review", message: `@alice and @bob please look at item ${i}` });
  const head = `POST /send HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Complete when its body is as long as its head says; answers are small and ASCII. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return answer.length >= end + 4 + Number(length);
}

function useConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    let sentAt = 0;
    const send = (): void => {
      if (next >= count) {
        socket.end();
        return resolve();
      }
      sentAt = performance.now();
      socket.write(requestFor(next++));
    };
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("connect", send).on("error", reject);
    socket.on("data", (chunk) => {
      answer += String(chunk);
      if (!isWhole(answer)) return;
      if (!answer.startsWith("HTTP/1.1 200")) return reject(new Error(answer));
      answer = "";
      latencies.push(performance.now() - sentAt);
      send();
    });
  });
}

const started = performance.now();
await Promise.all(Array.from({ length: connections }, useConnection));
const ms = performance.now() - started;
const p50 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? Number.NaN;
process.stdout.write(JSON.stringify({ ms, p50 } satisfies LoadResult));
