import { connectToDaemon } from "../../../client/connect.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import type { HealthView } from "../../../contract/service/health.ts";
import { daemonHealth } from "../../../daemon/doctor/daemon-health.ts";
import { keysOnlyHere } from "../../../daemon/keys/names-of-keys.ts";
import { Fault } from "../../../kernel/fault.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { hintIn } from "../../output/named-project.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { waitLines } from "../../output/waiting-text.ts";

export const status = defineCommand({
  about: "Says whether the daemon runs, what is wrong with it, and what its projects are doing. Does not start it.",
  examples: ["agent-worker status"],

  async run(invocation) {
    const { terminal } = invocation;
    try {
      const projectDir = invocation.projectDir();
      using client = await connectToDaemon({ env: terminal.env, projectDir });
      const health = await daemonHealth(client, projectDir);
      const keys = health.keys === undefined ? undefined : keysOnlyHere(terminal.env, health.keys);
      const note = keys === undefined ? "" : `${keys.message}. ${keys.next}\n`;
      return invocation.print({ running: true, ...health, keysOnlyHere: keys?.message ?? null }, () =>
        [describe(paintFor(terminal), health, hintsOf(invocation)), terminal.hint(note)].join(""),
      );
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "daemon_unreachable") throw error;
      const { message, hint } = error;
      invocation.print({ running: false, reason: message }, `${message}${hint === undefined ? "" : ` ${hint}`}\n`);
      return EXIT.unreachable;
    }
  },
});

/** Returns a function that completes a hint about a project: its commands must be meant for that project. */
function hintsOf({ terminal, projectDir }: Pick<Invocation, "terminal" | "projectDir">): HintAbout {
  const own = projectDir();
  return (dir, text) => (dir === own ? terminal.hint(text) : hintIn(dir, text));
}

type HintAbout = (dir: string, text: string) => string;

function describe(paint: Paint, health: HealthView, hint: HintAbout): string {
  const { status: state, problems, pid, url, version, uptimeMs, clients, memory, projects } = health;
  const head = [
    `The daemon is ${state === "ready" ? paint.good(state) : paint.bad(state)}${url === undefined ? "" : ` at ${url}`}: version ${version}, process ${pid}`,
    `up ${duration(uptimeMs)}, ${Math.round(memory.rss / 1024 / 1024)} MB`,
    ...(clients.events === 0 ? [] : [`${clients.events} watching`]),
  ];
  const table = formatTable(
    paint,
    ["PROJECT", "AGENTS", "RUNNING", "WAITING", "INBOX", "DEAD"],
    projects.map(({ dir, agents, running, waiting, open, dead }) => [
      dir,
      String(agents),
      String(running),
      String(waiting),
      String(open),
      { text: String(dead), paint: dead === 0 ? (text) => text : paint.bad },
    ]),
  );
  const resting = projects.filter(({ atRest }) => atRest);
  const stopped = projects.filter((each) => each.stopped === true);
  const changed = projects.filter(({ resting: agents }) => agents.length > 0);
  const lost = projects.filter(({ lostCommits }) => lostCommits > 0);
  const broken = projects.flatMap(({ dir, broken: files }) => files.map((mistake) => ({ dir, mistake })));
  return [
    `${head.join(", ")}.\n`,
    ...problems.map((problem) => `${paint.bad("Problem:")} ${problem}\n`),
    ...lost.map(({ dir, lostCommits }) => `${paint.bad("Problem:")} ${lostCommits} commits were lost in ${dir}\n`),
    ...(projects.length === 0 ? [] : [`\n${table}`]),
    ...projects.flatMap(({ dir, waits }) =>
      waits.map((wait) => `${hint(dir, waitLines(wait))}${projects.length > 1 ? `  (in ${dir})\n` : ""}`),
    ),
    ...projects.flatMap(({ dir, unplaced = [] }) =>
      unplaced.map((reason) => `${paint.bad("Waits:")} ${reason} (in ${dir})\n`),
    ),
    ...projects.flatMap(({ dir, refused = [] }) =>
      refused.map(({ reason, next }) => `${paint.bad("Not run here:")} ${reason} ${next} (in ${dir})\n`),
    ),
    ...projects.flatMap(({ dir, nodes = [] }) =>
      nodes.length === 0
        ? []
        : [`Nodes of ${dir}: ${nodes.map(({ name, state }) => `${name} (${state})`).join(", ")}\n`],
    ),
    ...broken.map(({ dir, mistake }) => `${paint.bad("Not used:")} ${mistake} (in ${dir})\n`),
    ...[...new Set(broken.map(({ dir }) => dir))].map((dir) =>
      hint(dir, "See every mistake with: agent-worker check\n"),
    ),
    ...resting.map(({ dir }) =>
      hint(dir, `At rest, because you have not trusted it: ${dir}. See: agent-worker trust\n`),
    ),
    ...(stopped.length === 0
      ? []
      : [
          `Stopped with stop --all: ${stopped.map(({ dir }) => dir).join(", ")}. It goes on with run, start or send, or all with: agent-worker daemon start\n`,
        ]),
    ...changed.map(({ dir, resting: agents }) =>
      hint(
        dir,
        `At rest in ${dir}, because they can do more than you have allowed: ${agents.join(", ")}. See: agent-worker trust\n`,
      ),
    ),
    ...projects
      .filter(({ dead }) => dead > 0)
      .map(({ dir }) => hint(dir, "See what could not be answered with: agent-worker dead list\n")),
  ].join("");
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
