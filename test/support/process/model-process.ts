/**
 * A model on the machine it is started on: `PORT`. Prints `asked N` for each question, and answers all that wait when it is
 * told what, by a line.
 */
import { createInterface } from "node:readline";
import { startFakeModelServer } from "../engine/fake-model-server/server.ts";

let answer = Promise.withResolvers<string>();
createInterface({ input: process.stdin }).on("line", (line) => {
  answer.resolve(line);
  answer = Promise.withResolvers();
});
let asked = 0;
await startFakeModelServer(async () => {
  console.log(`asked ${(asked += 1)}`);
  return { text: await answer.promise };
}, Number(process.argv[2]));
console.log("listening");
