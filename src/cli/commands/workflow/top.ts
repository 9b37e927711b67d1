import { EXIT } from "../../../contract/service/errors.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../follow/interruption.ts";
import type { Invocation } from "../../invocation.ts";
import { plainText } from "../../screen/span.ts";
import { isAllStopped } from "../../output/all-stopped.ts";
import { openScreen } from "../../screen/screen.ts";
import { fleetLines, type Fleet } from "../../top/fleet-lines.ts";

const EVERY_S = 2;
const MOST_RUNS = 100;

export const top = defineCommand({
  about: [
    "Shows who works on what, on the whole terminal, as it happens: each run with its seconds, tokens and cost, what waits,",
    "and what is in the inboxes. q or Ctrl-C ends it. Where there is no terminal, and with --once, it prints this once.",
  ].join("\n"),
  options: {
    every: { value: "SECONDS", about: "How often it is read again when nothing happens (2)" },
    once: { about: "Print it once" },
  },
  examples: ["agent-worker top", "agent-worker top --once"],

  async run(invocation) {
    const { options, terminal, json } = invocation;
    const everyMs = (wholeNumber("--every", options.every) ?? EVERY_S) * 1000;
    const first = await readFleet(invocation);
    if (json || options.once || terminal.columns === undefined || !terminal.interactive) {
      return invocation.print(first, () =>
        fleetLines(first, terminal.columns ?? WIDE)
          .map((each) => `${plainText(each).trimEnd()}\n`)
          .join(""),
      );
    }
    return watchFleet(invocation, first, everyMs);
  },
});

const WIDE = 200;

async function watchFleet(invocation: Invocation, first: Fleet, everyMs: number): Promise<number> {
  const { terminal } = invocation;
  const client = await invocation.client();
  using interrupted = interruption();
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, over.signal]);
  let fleet = first;
  const draw = (): void => {
    const { columns, rows } = screen.size;
    const lines = fleetLines({ ...fleet, now: systemClock.now() }, columns).slice(0, rows);
    screen.draw({ lines: [...lines, ...Array.from({ length: rows - lines.length }, () => [])] });
  };
  using screen = openScreen(
    {
      key(key) {
        const ends = key.kind === "text" ? key.text === "q" : key.name === "escape" || (key.name === "c" && key.ctrl);
        if (ends) over.abort();
      },
      resize: () => draw(),
    },
    terminal.colours,
  );
  draw();
  /** Seconds go on between two readings. */
  const count = async (): Promise<void> => {
    for (; ; draw()) await systemClock.sleep(1000, signal);
  };
  count().catch(() => {});
  const changed = watchChanges();
  while (!signal.aborted) {
    const raced = new AbortController();
    const pause = systemClock.sleep(everyMs, AbortSignal.any([signal, raced.signal])).catch(() => {});
    await Promise.race([changed.next(), pause]);
    raced.abort();
    try {
      fleet = await readFleet(invocation);
    } catch {
      fleet = { ...fleet, lost: true };
    }
    if (!signal.aborted) draw();
  }
  return EXIT.ok;

  function watchChanges() {
    let waiting = Promise.withResolvers<void>();
    const listen = async (): Promise<void> => {
      for await (const { kind } of client.watch({ signal })) if (kind !== "live") waiting.resolve();
    };
    listen().catch(() => {});
    return {
      async next() {
        await waiting.promise;
        waiting = Promise.withResolvers();
      },
    };
  }
}

async function readFleet(invocation: Pick<Invocation, "call" | "client" | "projectDir">): Promise<Fleet> {
  const { call } = invocation;
  const listed = await call("list-agents", {});
  const { workspaces } = await call("list-workspaces", { state: "open" });
  const { runs } = await call("list-runs", { unfinished: true, limit: MOST_RUNS });
  const { approvals } = await call("list-approvals", {});
  const { agents, workflowAgents, waits, dead } = listed;
  return {
    agents: [...agents, ...workflowAgents],
    workspaces,
    runs,
    waits,
    approvals: approvals.length,
    dead,
    stopped: await isAllStopped(invocation),
    now: systemClock.now(),
    lost: false,
  };
}
