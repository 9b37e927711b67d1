import type { AgentView, BrokenAgentView, RemovedAgentView } from "../../../contract/agents.ts";
import type { WorktreeView } from "../../../contract/git/worktrees.ts";
import type { NodeView } from "../../../contract/cluster/nodes.ts";
import type { WaitingRun } from "../../../contract/runs.ts";
import type { SubSpaceView } from "../../../contract/spaces/sub-spaces.ts";
import type { BrokenWorkflowView, MemberView, WorkflowView, WorkspaceView } from "../../../contract/workspaces.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { ALL_STOPPED, isAllStopped } from "../../output/all-stopped.ts";
import { answersElsewhere } from "../../output/answers-elsewhere.ts";
import { clockTime } from "../../output/clock-time.ts";
import { countOf } from "../../output/count-of.ts";
import { worktreeText } from "../../output/diff-text.ts";
import { formatSpace } from "../../output/format-space.ts";
import { grantText } from "../../output/grant-text.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { formatTable, type Cell } from "../../output/table.ts";
import { shortened } from "../../output/visible-text.ts";
import { waitLines } from "../../output/waiting-text.ts";

export const ls = defineCommand({
  about: [
    "Lists the agents of the project, the workspaces at work, the workflows that can be started with what they take, and",
    "the git worktrees with what was changed in them; with @WORKFLOW who takes part in it and which spaces it has, with",
    "NAME that agent.",
    "STATE says what an agent does: running, waiting (for you), parked until a time, stopped, rests or idle. INBOX counts what",
    "is not answered yet: immediate, normal and background. WORKS ON is the message it has begun with.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: { all: { short: "a", about: "Also workspaces that are closed" } },
  examples: ["agent-worker ls", "agent-worker ls @review"],

  async run(invocation) {
    const [target] = invocation.words;
    if (target === undefined) return listAll(invocation, invocation.options.all);
    return target.includes("@") ? listMembers(invocation, target) : listAgent(invocation, target);
  },
});

async function listAll(invocation: Invocation, all: boolean): Promise<number> {
  const { workflowAgents, ...listed } = await invocation.call("list-agents", {});
  const { broken, removed, problems, trust, storeProblem, waits, dead } = listed;
  const agents = [...listed.agents, ...workflowAgents];
  const { workspaces } = await invocation.call("list-workspaces", all ? {} : { state: "open" });
  const { workflows, broken: brokenWorkflows } = await invocation.call("list-workflows", {});
  const { worktrees } = await invocation.call("list-worktrees", {});
  const { nodes } = await invocation.call("list-nodes", {});
  const stopped = await isAllStopped(invocation);
  if (!invocation.json) {
    if (storeProblem !== null) invocation.terminal.note(`${storeProblem}\n`);
    for (const { file, line, message } of problems) invocation.terminal.note(`${file}:${line}: ${message}\n`);
    const isProject = agents.length + workspaces.length + workflows.length > 0;
    if (trust !== "trusted" && isProject) invocation.terminal.note(`${AT_REST[trust]} ${SEE_TRUST}\n`);
    else if (agents.some(({ rests }) => rests)) invocation.terminal.note(`${CHANGED} ${SEE_TRUST}\n`);
    if (stopped) invocation.terminal.note(invocation.terminal.hint(ALL_STOPPED));
  }
  const startable = workflows.length + brokenWorkflows.length;
  const lists = { agents, broken, removed, workspaces, workflows, brokenWorkflows, worktrees, nodes };
  const shown = { ...lists, stopped, waits, dead, problems, trust, storeProblem };
  return invocation.print(shown, () => {
    const { hint } = invocation.terminal;
    const paint = paintFor(invocation.terminal);
    if (agents.length + broken.length + removed.length + workspaces.length + startable === 0) {
      return problems.some(({ severity }) => severity === "error")
        ? hint("No file of this project can be used. See every mistake with: agent-worker check\n")
        : hint("There are no agents here yet. Make a team with: agent-worker init\n");
    }
    const parts = [
      ...group(paint, "Agents", agents.length + broken.length + removed.length, () =>
        agentTable(paint, stopped ? agents.map(asStopped) : agents, broken, removed, nodes.length > 1),
      ),
      ...group(paint, "Nodes", nodes.length > 1 ? nodes.length : 0, () => nodeTable(paint, nodes)),
      ...group(paint, "Workspaces", workspaces.length, () => workspaceTable(paint, workspaces)),
      ...group(paint, "Workflows", startable, () => workflowTable(paint, workflows, brokenWorkflows)),
      ...group(paint, "Worktrees", worktrees.length, () => worktreeTable(paint, worktrees)),
      ...(waits.length === 0 ? [] : [hint(waits.map(waitLines).join(""))]),
      ...agents
        .filter((agent) => !stopped && waitsForTurn(agent, waits))
        .map(({ name }) => `${name} goes on when it is its turn.\n`),
      ...agents.filter(isStoppedWithoutWork).map(({ name }) => hint(stoppedText(name))),
      ...listed.unplaced.map(({ reason }) => hint(`${reason}\n`)),
      ...listed.refused.map(({ reason, next }) => hint(`${reason} ${next}\n`)),
      ...(dead === 0 ? [] : [hint(`${countOf(dead, "dead letter")}. See: agent-worker dead list\n`)]),
    ];
    return parts.join("\n");
  });
}

/** No agent begins anything then, whatever it did before. */
function asStopped(agent: AgentView): AgentView {
  return agent.state === "rests" ? agent : { ...agent, state: "stopped", until: null };
}

/** A table under its heading; none without rows. */
function group(paint: Paint, title: string, rows: number, table: () => string): readonly string[] {
  return rows === 0 ? [] : [`${paint.bold(title)}\n${table()}`];
}

function isStoppedWithoutWork({ state, work }: Pick<AgentView, "state" | "work">): boolean {
  return state === "stopped" && work === null;
}

/** After a restart, or when more urgent work came first: its run waits for nothing else. */
function waitsForTurn({ state, work }: AgentView, waits: readonly WaitingRun[]): boolean {
  return state === "parked" && work !== null && !waits.some(({ run }) => run === work.run);
}

function stoppedText(agent: string): string {
  return `${agent} was stopped by a person. It goes on when something new comes for it: agent-worker send ${agent} MESSAGE\n`;
}

const SEE_TRUST = "See what it can do, and let it: agent-worker trust";
const AT_REST = {
  unknown: "This project rests: you have not trusted it on this machine.",
  "foreign-store": "This project rests: its database was not made on this machine.",
};
const CHANGED = "An agent rests: it can do more now than you have allowed.";

async function listAgent(invocation: Invocation, name: string): Promise<number> {
  const shown = await invocation.call("show-agent", { name });
  const { source, model, backend, state, until, work, workspaces, open, rests, node } = shown;
  const agents = [{ name, source, model, backend, state, until, work, workspaces, open, rests, node }];
  return invocation.print({ agents }, () => agentTable(paintFor(invocation.terminal), agents));
}

async function listMembers(invocation: Invocation, target: string): Promise<number> {
  const { space, spaces, earlier, channel, ...shown } = await invocation.call("show-workspace", { target });
  const name = target.slice(0, target.indexOf("@"));
  const { agents, workflowAgents } = await invocation.call("list-agents", {});
  const members = shown.members
    .filter(({ agent }) => name === "" || agent === name)
    .map((member): ShownMember => {
      const address = member.ref ?? `${member.agent}${formatSpace(space)}`;
      const found = [...agents, ...workflowAgents].find((each) => each.name === address);
      return { ...member, activity: found === undefined ? null : activityOf(found) };
    });
  if (!invocation.json) {
    for (const { agent, missing } of members) if (missing !== null) invocation.terminal.note(`${agent}: ${missing}\n`);
    if (!channel) invocation.terminal.note(`${answersElsewhere(members)}\n`);
  }
  return invocation.print({ space, members, spaces, earlier }, () => {
    const granted = members.filter(({ grants }) => grants.length > 0).map(grantedText);
    const paint = paintFor(invocation.terminal);
    const inside = spaces.length === 0 ? "" : `\n${spaceTable(paint, spaces)}`;
    const table = [memberTable(paint, members), ...granted, inside].join("");
    if (earlier.length === 0) return table;
    const read = invocation.terminal.hint(`agent-worker peek ${formatSpace(space)} --earlier N`);
    return `${table}\nIt was started ${countOf(earlier.length, "time")} before. Read what was said then with: ${read}\n`;
  });
}

function spaceTable(paint: Paint, spaces: readonly SubSpaceView[]): string {
  return formatTable(
    paint,
    ["SPACE", "STATE", "MEMBERS", "PURPOSE"],
    spaces.map(({ address, state, members, purpose }) => [
      { text: address, paint: paint.bold },
      { text: state, paint: state === "open" ? paint.good : paint.dim },
      members.join(" "),
      shortened(purpose ?? "", SHORT),
    ]),
  );
}

function grantedText({ agent, grants }: MemberView): string {
  return `By grants ${agent} has: ${grants.map(grantText).join(", ")}\n`;
}

/** A member, and what it does now; null in a workspace that is closed. */
type ShownMember = MemberView & { readonly activity: Pick<AgentView, "state" | "until" | "work"> | null };

function activityOf({ state, until, work }: AgentView): ShownMember["activity"] {
  return { state, until, work };
}

const SHORT = 60;

function agentTable(
  paint: Paint,
  agents: readonly AgentView[],
  broken: readonly BrokenAgentView[] = [],
  removed: readonly RemovedAgentView[] = [],
  showsNode = false,
): string {
  const workOf = (name: string): string => {
    const work = removed.find((each) => each.name === name)?.work ?? null;
    return work === null ? "" : workText(work);
  };
  const isBroken = new Set(broken.map(({ name }) => name));
  const rows = [
    ...agents.map(({ name, source, state, until, open, model, backend, workspaces, work, node }) => [
      { text: name, paint: (text: string) => paint.as(name, text) },
      source,
      stateCell(paint, state, until, showsNode ? node : null),
      inboxText(open),
      model === null ? `(${backend})` : backend === "sdk" ? model : `${model} (${backend})`,
      workspaces.map(formatSpace).join(" "),
      work === null ? "" : workText(work),
    ]),
    ...broken.map(({ name, open }) => [
      name,
      "file",
      { text: "broken", paint: paint.bad },
      inboxText(open),
      "-",
      "",
      workOf(name),
    ]),
    ...removed
      .filter(({ name }) => !isBroken.has(name))
      .map(({ name, state, until, open }) => [
        name,
        "removed",
        stateCell(paint, state, until),
        inboxText(open),
        "-",
        "",
        workOf(name),
      ]),
  ];
  return formatTable(paint, ["NAME", "SOURCE", "STATE", "INBOX", "MODEL", "WORKSPACES", "WORKS ON"], rows);
}

function inboxText({ immediate, normal, background }: AgentView["open"]): string {
  return `${immediate}/${normal}/${background}`;
}

function stateCell(paint: Paint, state: AgentView["state"], until: string | null, node: string | null = null): Cell {
  const where = node === null ? state : `${state} on ${node}`;
  const text = until === null ? where : `${where} until ${clockTime(until)}`;
  switch (state) {
    case "running":
      return { text, paint: paint.good };
    case "idle":
      return { text, paint: paint.dim };
    default:
      return { text, paint: paint.bad };
  }
}

function workText({ space, message, since }: NonNullable<AgentView["work"]>): string {
  return `${formatSpace(space)} since ${clockTime(since)}: ${shortened(message ?? "", SHORT)}`;
}

function workspaceTable(paint: Paint, workspaces: readonly WorkspaceView[]): string {
  return formatTable(
    paint,
    ["WORKSPACE", "STATE", "PARTICIPANTS"],
    workspaces.map(({ name, state, participants }) => [
      { text: `@${name}`, paint: paint.bold },
      { text: state, paint: state === "open" ? paint.good : paint.dim },
      participants.join(" "),
    ]),
  );
}

function nodeTable(paint: Paint, nodes: readonly NodeView[]): string {
  return formatTable(
    paint,
    ["NODE", "STATE", "RUNS", "LABELS", "LAST BEAT", "OTHER FILES"],
    nodes.map(({ name, state, self, running, capacity, labels, lastBeat, differs }) => [
      { text: self ? `${name} (here)` : name, paint: paint.bold },
      { text: state, paint: state === "live" ? paint.good : paint.bad },
      capacity === null ? String(running.length) : `${running.length} of ${capacity}`,
      labels.join(" "),
      clockTime(lastBeat),
      differs.map(({ agent, keys }) => `${agent} (${keys.join(", ")})`).join(" "),
    ]),
  );
}

function worktreeTable(paint: Paint, worktrees: readonly WorktreeView[]): string {
  return formatTable(
    paint,
    ["OF", "BRANCH AND WHAT CHANGED"],
    worktrees.map((worktree) => [{ text: worktree.target, paint: paint.bold }, worktreeText(worktree)]),
  );
}

function workflowTable(
  paint: Paint,
  workflows: readonly WorkflowView[],
  broken: readonly BrokenWorkflowView[],
): string {
  const rows = [
    ...workflows.map(({ name, params, agents }) => [
      { text: name, paint: paint.bold },
      agents.join(" "),
      params.length === 0 ? "" : `-- ${params.map(paramText).join(" ")}`,
    ]),
    ...broken.map(({ name }) => [name, { text: "broken", paint: paint.bad }, ""]),
  ];
  return formatTable(paint, ["WORKFLOW", "AGENTS", "TAKES"], rows);
}

/** Returns a parameter as it is typed after `--`, which the table shows, too; in brackets when it is optional. */
function paramText({ name, required, default: value }: WorkflowView["params"][number]): string {
  return required ? `--${name}` : `[--${name}${value === null ? "" : ` ${value}`}]`;
}

function memberTable(paint: Paint, members: readonly ShownMember[]): string {
  return formatTable(
    paint,
    ["NAME", "SOURCE", "ROLE", "STATE", "INBOX", "TASK"],
    members.map(({ agent, source, role, state, waiting, task, rests, missing, activity }) => [
      { text: agent, paint: (text) => paint.as(agent, text) },
      source,
      role ?? "-",
      missing !== null || rests
        ? { text: rests ? "rests" : "missing", paint: paint.bad }
        : activity === null
          ? "-"
          : stateCell(paint, activity.state, activity.until),
      String(waiting),
      [state, task].filter((text) => text !== null).join(": "),
    ]),
  );
}
