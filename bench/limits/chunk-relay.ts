import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";

/**
 * The least that brings the words of a worker to a client: read lines, parse them, write what came in one turn.
 * Answers the CPU time of this process in microseconds.
 */
export async function relayChunks(program: string, pieces: number): Promise<number> {
  const server = createServer((_request, response) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    let rest = "";
    let waiting = "";
    const flush = (): void => {
      response.write(waiting);
      waiting = "";
    };
    worker.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as { type: string; event?: { text: string } };
        if (message.type === "end") return void response.end(waiting);
        if (message.event === undefined) continue;
        if (waiting === "") setImmediate(flush);
        waiting += `event: chunk\ndata: ${JSON.stringify({ agent: "zoe", text: message.event.text })}\n\n`;
      }
    });
    worker.stdin.write(`${JSON.stringify({ type: "step", prompt: `say ${pieces} pieces` })}\n`);
  });
  const worker = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise<void>((resolve) => void worker.stdout.once("data", () => resolve()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = process.cpuUsage();
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await new Promise<void>((resolve) => void client.resume().once("end", resolve));
  const { user, system } = process.cpuUsage(before);
  client.destroy();
  worker.kill();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return user + system;
}
