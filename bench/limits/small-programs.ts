/** The least programs that could do what a command or the daemon does, as Node runs them without any build. */
export const SMALL_PROGRAMS = {
  empty: "",
  /** One request over a bare socket. */
  net: `
    const socket = require("net").connect(Number(process.argv[2]), "127.0.0.1", () =>
      socket.write("GET /health HTTP/1.1\\r\\nhost: 127.0.0.1:" + process.argv[2] + "\\r\\nconnection: close\\r\\n\\r\\n"));
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.on("close", () => require("fs").writeSync(1, text.split("\\r\\n\\r\\n")[1] + "\\n"));
  `,
  /** The same with Node's own client. */
  http: `
    require("http").get({ port: process.argv[2], host: "127.0.0.1", path: "/health", agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => require("fs").writeSync(1, text + "\\n"));
    });
  `,
  /** A server that says hello, and on its output when it is ready. */
  hello: `
    const server = require("http").createServer((request, response) => response.end("hello"));
    server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
  `,
} as const;
