import type { AgentView, BrokenAgentView } from "../../../contract/agents.ts";
import type { WorkflowView } from "../../../contract/workspaces.ts";
import type { MemberView, WorkspaceView } from "../../../contract/workspaces.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";

export const ls = defineCommand({
  about: [
    "Lists the agents of the project, the workspaces at work, and the workflows that can be started with what they take;",
    "with @WORKFLOW who takes part in it, with NAME that agent.",
    "WAITING counts what waits for an agent: immediate, normal and background.",
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
  const { agents, broken, problems, trust, storeProblem } = await invocation.call("list-agents", {});
  const { workspaces } = await invocation.call("list-workspaces", all ? {} : { state: "open" });
  const { workflows } = await invocation.call("list-workflows", {});
  if (!invocation.json) {
    if (storeProblem !== null) invocation.terminal.note(`${storeProblem}\n`);
    for (const { file, line, message } of problems) invocation.terminal.note(`${file}:${line}: ${message}\n`);
    const isProject = agents.length + workspaces.length + workflows.length > 0;
    if (trust !== "trusted" && isProject) invocation.terminal.note(`${AT_REST[trust]} ${SEE_TRUST}\n`);
    else if (agents.some(({ rests }) => rests)) invocation.terminal.note(`${CHANGED} ${SEE_TRUST}\n`);
  }
  return invocation.print({ agents, broken, workspaces, workflows, problems, trust, storeProblem }, () => {
    const paint = paintFor(invocation.terminal);
    if (agents.length + broken.length + workspaces.length + workflows.length === 0) {
      return problems.some(({ severity }) => severity === "error")
        ? "No file of this project can be used. See every mistake with: agent-worker check\n"
        : "There are no agents here yet. Make one with: agent-worker agent create NAME\n";
    }
    const parts = [
      ...(agents.length + broken.length === 0 ? [] : [agentTable(paint, agents, broken)]),
      ...(workspaces.length === 0 ? [] : [workspaceTable(paint, workspaces)]),
      ...(workflows.length === 0 ? [] : [workflowTable(paint, workflows)]),
    ];
    return parts.join("\n");
  });
}

const SEE_TRUST = "See what it can do, and let it: agent-worker trust";
const AT_REST = {
  unknown: "This project rests: you have not trusted it on this machine.",
  "foreign-store": "This project rests: its database was not made on this machine.",
};
const CHANGED = "An agent rests: it can do more now than you have allowed.";

async function listAgent(invocation: Invocation, name: string): Promise<number> {
  const { source, model, backend, state, workspaces, open, rests } = await invocation.call("show-agent", { name });
  const agents = [{ name, source, model, backend, state, workspaces, open, rests }];
  return invocation.print({ agents }, () => agentTable(paintFor(invocation.terminal), agents));
}

async function listMembers(invocation: Invocation, target: string): Promise<number> {
  const { space, earlier, ...shown } = await invocation.call("show-workspace", { target });
  const name = target.slice(0, target.indexOf("@"));
  const members = shown.members.filter(({ agent }) => name === "" || agent === name);
  if (!invocation.json) {
    for (const { agent, missing } of members) if (missing !== null) invocation.terminal.note(`${agent}: ${missing}\n`);
  }
  return invocation.print({ space, members, earlier }, () => {
    const table = memberTable(paintFor(invocation.terminal), members);
    if (earlier.length === 0) return table;
    const read = `agent-worker peek ${formatSpace(space)} --earlier N`;
    return `${table}\nIt was started ${countOf(earlier.length, "time")} before. Read what was said then with: ${read}\n`;
  });
}

function agentTable(paint: Paint, agents: readonly AgentView[], broken: readonly BrokenAgentView[] = []): string {
  const rows = [
    ...agents.map(({ name, source, state, open, model, backend, workspaces, rests }) => [
      { text: name, paint: (text: string) => paint.as(name, text) },
      source,
      rests ? { text: "rests", paint: paint.bad } : { text: state, paint: state === "active" ? paint.good : paint.dim },
      waitingText(open),
      model === null ? `(${backend})` : backend === "sdk" ? model : `${model} (${backend})`,
      workspaces.map(formatSpace).join(" "),
    ]),
    ...broken.map(({ name, open }) => [name, "file", { text: "broken", paint: paint.bad }, waitingText(open), "-", ""]),
  ];
  return formatTable(paint, ["NAME", "SOURCE", "STATE", "WAITING", "MODEL", "WORKSPACES"], rows);
}

function waitingText({ immediate, normal, background }: AgentView["open"]): string {
  return `${immediate}/${normal}/${background}`;
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

function workflowTable(paint: Paint, workflows: readonly WorkflowView[]): string {
  return formatTable(
    paint,
    ["WORKFLOW", "AGENTS", "TAKES"],
    workflows.map(({ name, params, agents }) => [
      { text: name, paint: paint.bold },
      agents.join(" "),
      params.map(paramText).join(" "),
    ]),
  );
}

/** Returns a parameter as it is typed after `--`, in brackets when it is optional. */
function paramText({ name, required, default: value }: WorkflowView["params"][number]): string {
  return required ? `--${name}` : `[--${name}${value === null ? "" : ` ${value}`}]`;
}

function memberTable(paint: Paint, members: readonly MemberView[]): string {
  return formatTable(
    paint,
    ["NAME", "SOURCE", "ROLE", "STATE", "WAITING", "TASK"],
    members.map(({ agent, source, role, state, waiting, task, rests, missing }) => [
      { text: agent, paint: (text) => paint.as(agent, text) },
      source,
      role ?? "-",
      missing !== null || rests ? { text: rests ? "rests" : "missing", paint: paint.bad } : (state ?? "-"),
      String(waiting),
      task ?? "",
    ]),
  );
}
