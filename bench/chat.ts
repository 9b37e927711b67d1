import { createRequire } from "node:module";
import { join } from "node:path";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { firstState, type ChatEvent } from "../src/cli/chat/model/chat-state.ts";
import { update } from "../src/cli/chat/model/update.ts";
import { chatFrame } from "../src/cli/chat/view/chat-view.ts";
import { frameUpdate, rowText } from "../src/cli/screen/frame.ts";
import type { MessageView } from "../src/contract/messages.ts";
import { format, median, type Bench, type Figure } from "./bench.ts";
import { installTools } from "./support/install-tools.ts";
import { LAUNCHER, writeSmallPrograms } from "./support/program-time.ts";
import { writeReviewProject } from "./support/review-project.ts";
import { spawnServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const TOOLS = join(import.meta.dirname, "../test/terminal");
const MESSAGES = 10_000;
/** A person notices a longer stall. */
const STALL_MS = 50;

/** The chat: how soon it is there, how long a key takes after ten thousand messages, and what its frames write. */
export const chat: Bench = {
  name: "chat",
  measures: "the chat in a pseudo-terminal, from the start of the process to its first frame; scrolling; frames",
  async run({ quick, progress }) {
    installTools(TOOLS, progress);
    return [await firstFrame(quick), ...scrolling(quick)];
  },
};

async function firstFrame(quick: boolean): Promise<Figure> {
  await bundleCommands("src");
  using folder = temporaryFolder();
  const project = join(folder.path, "project");
  writeReviewProject(project);
  const env = { ...process.env, TERM: "xterm-256color", AGENT_WORKER_HOME: join(folder.path, "home") };
  await using _daemon = await spawnServer(
    [LAUNCHER, "daemon", "start", "--foreground", "--trust", "--port", "0", "--project", project],
    { env },
  );
  const { empty } = writeSmallPrograms(folder.path);
  const rounds = quick ? 2 : 9;
  const times: Record<"empty" | "chat", number[]> = { empty: [], chat: [] };
  // The first run writes the cache of compiled code.
  await paintTime([LAUNCHER, "chat"], { cwd: project, env, until: "Enter send" });
  for (let round = 0; round < rounds; round += 1) {
    const best: Record<"empty" | "chat", number> = { empty: Number.POSITIVE_INFINITY, chat: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < (quick ? 2 : 5); attempt += 1) {
      best.empty = Math.min(best.empty, await paintTime([empty], { cwd: project, env, until: undefined }));
      best.chat = Math.min(best.chat, await paintTime([LAUNCHER, "chat"], { cwd: project, env, until: "Enter send" }));
    }
    times.empty.push(best.empty);
    times.chat.push(best.chat);
  }
  return {
    what: "first frame to an empty program",
    ratios: times.chat.map((time, round) => time / (times.empty[round] ?? Number.NaN)),
    goal: { atMost: 2.5 },
    detail: `${format(median(times.chat))} ms against ${format(median(times.empty))} ms, both in a pseudo-terminal`,
  };
}

interface Pty {
  onData(listener: (data: string) => void): void;
  onExit(listener: () => void): void;
  write(data: string): void;
}

/** The time until a program in a pseudo-terminal has written a text, or until its end. */
function paintTime(
  args: readonly string[],
  { cwd, env, until }: { readonly cwd: string; readonly env: object; readonly until: string | undefined },
): Promise<number> {
  const { spawn } = createRequire(join(TOOLS, "package.json"))("node-pty") as {
    spawn(file: string, args: string[], options: object): Pty;
  };
  const began = process.hrtime.bigint();
  const since = (): number => Number(process.hrtime.bigint() - began) / 1e6;
  const program = spawn(process.execPath, [...args], { cols: 80, rows: 24, cwd, env });
  return new Promise((resolve) => {
    let written = "";
    let painted: number | undefined;
    program.onData((data) => {
      written += data;
      if (painted !== undefined || until === undefined || !written.includes(until)) return;
      painted = since();
      program.write("\u0004");
    });
    program.onExit(() => resolve(painted ?? since()));
  });
}

function scrolling(quick: boolean): Figure[] {
  let state = firstState("shop", { columns: 120, rows: 40 }, 0);
  let rows: readonly string[] | undefined;
  let written = 0;
  let same = 0;
  const take = (...events: readonly ChatEvent[]): void => {
    for (const event of events) ({ state } = update(state, event));
  };
  const draw = (): void => {
    const next = chatFrame(state).lines.map((line) => rowText(line, true));
    const text = frameUpdate(rows, next, undefined);
    for (const [, row = "", shown = ""] of text.matchAll(ROW)) {
      written += 1;
      if (rows?.[Number(row) - 1] === shown) same += 1;
    }
    rows = next;
  };
  take({ type: "open", space: "alice" }, { type: "messages", space: "alice", messages: messages() }, DONE);
  draw();
  const rounds = quick ? 2 : 5;
  const worst = Array.from({ length: rounds }, () => {
    const times = KEYS.flatMap(([name, count]) =>
      Array.from({ length: quick ? Math.ceil(count / 10) : count }, () => {
        const began = process.hrtime.bigint();
        take({ type: "key", key: { kind: "key", name, ctrl: false, alt: false, shift: false } });
        draw();
        return Number(process.hrtime.bigint() - began) / 1e6;
      }),
    );
    return Math.max(...times);
  });
  return [
    {
      what: `slowest key of a scroll through ${MESSAGES.toLocaleString("en")} messages to ${STALL_MS} ms`,
      ratios: worst.map((time) => time / STALL_MS),
      goal: { atMost: 1 },
      detail: `${format(median(worst))} ms: by lines, by pages, to the beginning and to the end, frame included`,
    },
    {
      what: "rows that a frame writes as they were, to all it writes",
      ratios: [same / Math.max(1, written)],
      goal: { atMost: 0 },
      detail: `${same} of ${written}`,
    },
  ];
}

const ROW = new RegExp(String.raw`\u001b\[(\d+);1H([^]*?)\u001b\[K`, "g");
const DONE: ChatEvent = { type: "earlier", space: "alice", messages: [], more: false };
const KEYS: readonly (readonly [name: string, count: number])[] = [
  ["pageup", 400],
  ["up", 200],
  ["home", 1],
  ["down", 200],
  ["pagedown", 200],
  ["end", 1],
];

function messages(): MessageView[] {
  const text =
    "A longer text with **bold** words, `code` and\n\n- a list\n- of two\n\n```ts\nconst answer = 42;\n```\n";
  return Array.from({ length: MESSAGES }, (_, at) => ({
    id: `msg_${at}`,
    seq: at + 1,
    space: "alice",
    from: at % 2 === 0 ? "user" : "alice",
    onBehalfOf: null,
    to: null,
    kind: "message" as const,
    content: `${at}: ${text}`,
    resource: null,
    mentions: [],
    cause: null,
    run: null,
    at: "2026-01-02T03:04:05.000Z",
  }));
}
