import { connect } from "node:net";

/**
 * A child of the stream benches: clients that read a stream of events as fast as they can and look only at its end.
 * Says `ready` when all have its beginning, and `done` when all have the mark. URL COUNT MARK
 */
const [url = "", count = "1", mark = ""] = process.argv.slice(2);
const { port, host, pathname, search } = new URL(url);
const TAIL = 512;
let begun = 0;
let done = 0;

for (let i = 0; i < Number(count); i += 1) {
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  let tail: Buffer = Buffer.alloc(0);
  let first = true;
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  socket.on("data", (bytes: Buffer) => {
    tail = bytes.length >= TAIL ? bytes.subarray(-TAIL) : Buffer.concat([tail.subarray(bytes.length - TAIL), bytes]);
    if (first && bytes.includes("event: snapshot")) {
      first = false;
      begun += 1;
      if (begun === Number(count)) process.stdout.write("ready\n");
    }
    if (!tail.includes(mark)) return;
    done += 1;
    if (done === Number(count)) process.stdout.write("done\n", () => process.exit());
  });
}
