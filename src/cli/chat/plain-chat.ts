import { createInterface } from "node:readline";
import { EXIT } from "../../contract/service/errors.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Terminal } from "../output/terminal.ts";
import { firstSpaces } from "./first-panes.ts";
import { firstState } from "./model/chat-state.ts";
import { openChat, tickUntil } from "./open-chat.ts";
import type { ChatStart } from "./screen-chat.ts";
import { typedLine } from "./model/typed-line.ts";
import { plainOutput } from "./view/plain-output.ts";

const { basename } = process.getBuiltinModule("node:path");

const TICK_MS = 500;
/** Everything is printed, so nothing is too long to be seen. */
const SIZE = { columns: 80, rows: 1_000_000 };

/** The chat as plain lines: what a person types is a line of the input, and nothing that was printed is changed. */
export async function runPlainChat(
  terminal: Terminal,
  { projectDir, cwd, env, named, connect, askConsent }: ChatStart,
): Promise<number> {
  const say = (text: string): void => terminal.progress(text);
  const chat = openChat({
    first: firstState(basename(projectDir), SIZE, systemClock.now()),
    projectDir,
    cwd,
    env,
    changed(before, after) {
      const lines = plainOutput(before, after);
      if (lines.length > 0) terminal.print(lines.map((each) => `${each}\n`).join(""));
    },
    redraw: () => {},
    connect: () => connect(say),
  });
  const client = await connect(say);
  const listed = await client.call("list-agents", {});
  if (listed.ok && listed.value.trust !== "trusted") await askConsent(client);
  for (const space of (await firstSpaces(client, named)).slice(0, Math.max(1, named.length))) {
    chat.dispatch({ type: "open", space });
  }
  const following = chat.follow(client);
  using input = createInterface({ input: process.stdin, terminal: false });
  tickUntil(chat.ended, TICK_MS, (now) => chat.dispatch({ type: "tick", now }));
  input.on("line", (text) => {
    for (const event of typedLine(chat.state, text)) chat.dispatch(event);
  });
  input.on("close", () => chat.end());
  await Promise.race([following.then(() => chat.ended), chat.ended]);
  return EXIT.ok;
}
