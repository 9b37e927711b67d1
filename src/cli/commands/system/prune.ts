import type { PrunedView } from "../../../contract/storage/stored-data.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";

export const prune = defineCommand({
  about: [
    "Removes old data now, as the retention of the project says; the daemon does it every hour by itself. What is unread,",
    "unanswered or undecided is never removed. The database uses the space again; --vacuum gives it back to the disk.",
  ].join("\n"),
  options: {
    "dry-run": { about: "Show what would be removed, and remove nothing" },
    vacuum: { about: "Write the database anew without its free space; new messages wait meanwhile" },
  },
  examples: ["agent-worker prune --dry-run", "agent-worker prune --vacuum"],

  async run(invocation) {
    const { options, call, print } = invocation;
    const dryRun = options["dry-run"];
    const pruned = await pruneAll(invocation, dryRun);
    const vacuumed = options.vacuum && !dryRun ? await call("vacuum-store", {}) : null;
    const database = await call("show-store-size", {});
    return print({ dryRun, pruned, vacuumed, database }, () =>
      [
        prunedText(pruned, dryRun),
        ...(vacuumed === null ? [] : [`The database took ${size(vacuumed.bytesBefore)} before.\n`]),
        `The database takes ${size(database.bytes)}, of which ${size(database.freeBytes)} are free for new data.\n`,
      ].join(""),
    );
  },
});

async function pruneAll({ call, terminal }: Invocation, dryRun: boolean): Promise<PrunedView> {
  let all: PrunedView | undefined;
  for (let after: string | undefined; ;) {
    const { pruned, next } = await call("prune-store", { dryRun, after });
    all = all === undefined ? pruned : add(all, pruned);
    if (next === null) return all;
    after = next;
    terminal.progress(`${size(bytesOf(all))} so far ...`);
  }
}

function add(a: PrunedView, b: PrunedView): PrunedView {
  return {
    transcripts: { runs: a.transcripts.runs + b.transcripts.runs, bytes: a.transcripts.bytes + b.transcripts.bytes },
    events: { count: a.events.count + b.events.count, bytes: a.events.bytes + b.events.bytes },
    workspaces: {
      count: a.workspaces.count + b.workspaces.count,
      messages: a.workspaces.messages + b.workspaces.messages,
      bytes: a.workspaces.bytes + b.workspaces.bytes,
    },
    deadLetters: { count: a.deadLetters.count + b.deadLetters.count },
  };
}

function bytesOf({ transcripts, events, workspaces }: PrunedView): number {
  return transcripts.bytes + events.bytes + workspaces.bytes;
}

function prunedText(pruned: PrunedView, dryRun: boolean): string {
  const { transcripts, events, workspaces, deadLetters } = pruned;
  const lines = [
    ...(transcripts.runs === 0
      ? []
      : [`transcripts of ${countOf(transcripts.runs, "run")}: ${size(transcripts.bytes)}`]),
    ...(events.count === 0 ? [] : [`${countOf(events.count, "event")}: ${size(events.bytes)}`]),
    ...(workspaces.count === 0
      ? []
      : [
          `${countOf(workspaces.count, "closed workspace")} with ${countOf(workspaces.messages, "message")}: ${size(workspaces.bytes)}`,
        ]),
    ...(deadLetters.count === 0 ? [] : [countOf(deadLetters.count, "dead letter")]),
  ];
  if (lines.length === 0) return "Nothing is old enough to be removed.\n";
  return `${dryRun ? "This would be removed" : "Removed"}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

const UNITS = ["bytes", "KB", "MB", "GB"] as const;

function size(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  for (; amount >= 1024 && unit < UNITS.length - 1; unit += 1) amount /= 1024;
  return `${unit === 0 ? amount : amount.toFixed(1)} ${UNITS[unit]}`;
}
