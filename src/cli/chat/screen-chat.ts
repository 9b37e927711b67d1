import type { Client } from "../../client/client.ts";
import { EXIT } from "../../contract/service/errors.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openScreen, type Screen } from "../screen/screen.ts";
import { firstSpaces } from "./first-panes.ts";
import { firstState } from "./model/chat-state.ts";
import { openChat, tickUntil } from "./open-chat.ts";
import { chatFrame } from "./view/chat-view.ts";

const { basename } = process.getBuiltinModule("node:path");

/** How a chat begins. */
export interface ChatStart {
  readonly projectDir: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  /** The agents and workspaces to open. */
  readonly named: readonly string[];
  /** Connects, and starts a daemon that does not run. `say` gets what takes a while. */
  connect(say: (text: string) => void): Promise<Client>;
  /** Asks for consent where it is needed, on the ordinary screen. */
  askConsent(client: Client): Promise<void>;
}

const FRAME_MS = 16;
const TICK_MS = 500;

/** The chat on the whole terminal. The first frame is drawn before anything is asked of the daemon. */
export async function runScreenChat({
  projectDir,
  cwd,
  env,
  colours,
  named,
  connect,
  askConsent,
}: ChatStart): Promise<number> {
  let screen: Screen | undefined;
  let drawn = true;
  const draw = (): void => {
    drawn = true;
    screen?.draw(chatFrame(chat.state));
  };
  const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
  const chat = openChat({
    first: firstState(basename(projectDir), size, systemClock.now()),
    projectDir,
    cwd,
    env,
    changed() {
      if (!drawn) return;
      drawn = false;
      // Many events of one moment are one frame.
      void systemClock.sleep(FRAME_MS).then(draw);
    },
    redraw: () => screen?.redraw(),
    connect: () => connect((text) => chat.dispatch({ type: "notice", text, style: "dim" })),
  });
  const open = (): Screen =>
    openScreen(
      {
        key: (key) => chat.dispatch({ type: "key", key }),
        resize: (next) => chat.dispatch({ type: "resize", size: next }),
      },
      colours,
    );
  screen = open();
  draw();
  try {
    const begin = async (): Promise<void> => {
      const client = await connect((text) => chat.dispatch({ type: "notice", text, style: "dim" }));
      const trust = await client.call("list-agents", {});
      if (trust.ok && trust.value.trust !== "trusted") {
        screen?.[Symbol.dispose]();
        await askConsent(client);
        screen = open();
      }
      const spaces = await firstSpaces(client, named);
      for (const space of spaces) chat.dispatch({ type: "open", space });
      if (spaces[0] !== undefined) chat.dispatch({ type: "open", space: spaces[0] });
      await chat.follow(client);
    };
    tickUntil(chat.ended, TICK_MS, (now) => chat.dispatch({ type: "tick", now }));
    await Promise.race([begin().then(() => chat.ended), chat.ended]);
    return EXIT.ok;
  } finally {
    screen?.[Symbol.dispose]();
  }
}
