import type { Requirement } from "./requirement.ts";

/** The operations as people and scripts meet them on the command line. */
export const cli: readonly Requirement[] = [
  {
    id: "cli.demo",
    source: ["product", "surface"],
    behaviour:
      "`demo` plays a team of three on the scripted engine through the real daemon without a key, exits 0 and leaves nothing behind unless `--keep`.",
    faces: ["cli"],
  },
  {
    id: "cli.init",
    source: ["surface"],
    behaviour:
      "`init` creates one example agent and workflow that pass the check, names the usable engines and overwrites nothing.",
    faces: ["cli"],
  },
  {
    id: "cli.agent-create",
    source: ["000", "surface"],
    behaviour:
      "`agent create` takes model, backend, system or system file, role, expertise, style, principles and `--from`.",
    faces: ["cli"],
  },
  {
    id: "cli.agent-manage",
    source: ["000", "surface"],
    behaviour: "`agent list`, `info` and `delete` work, and `delete` asks unless `--yes`.",
    faces: ["cli"],
  },
  {
    id: "cli.agent-context",
    source: ["000", "surface"],
    behaviour: "`agent memory`, `notes` and `todo` read and change the personal context of an agent.",
    faces: ["cli"],
  },
  {
    id: "cli.new",
    source: ["000", "002", "003", "surface"],
    behaviour: "`new` creates an ephemeral agent from model, backend, system prompt or file and wake-up.",
    faces: ["cli"],
  },
  {
    id: "cli.ls",
    source: ["002", "003", "004"],
    behaviour:
      "`ls`, also as `list`, shows name, source, state, lane depth and model, of everything or of one target; and the workflows that can be started.",
    faces: ["cli"],
  },
  {
    id: "cli.stop",
    source: ["002", "003", "004"],
    behaviour: "`stop` ends an agent, an agent in a workspace, a workspace, or with `--all` the daemon.",
    faces: ["cli"],
  },
  {
    id: "cli.send",
    source: ["000", "002", "003", "004", "surface"],
    behaviour: "`send` takes target and message, or message and `--to`, and prints the receipt.",
    faces: ["cli"],
  },
  {
    id: "cli.send-stdin",
    source: ["surface"],
    behaviour: "`send` with `-` takes the message from standard input.",
    faces: ["cli"],
  },
  {
    id: "cli.send-wait",
    source: ["surface"],
    behaviour: "`send --wait` follows until the reply and prints it.",
    faces: ["cli"],
  },
  {
    id: "cli.peek",
    source: ["001", "002", "003", "surface"],
    behaviour: "`peek` and `inbox` show messages with limit, since, before, search and follow, and ack nothing.",
    faces: ["cli"],
  },
  {
    id: "cli.run",
    source: ["000", "002", "003", "004"],
    behaviour: "`run` streams what happens until the workspace is idle and exits with the outcome.",
    faces: ["cli"],
  },
  {
    id: "cli.start",
    source: ["000", "003", "004", "product"],
    behaviour: "`start` returns at once, `--background` being the same, and `start --foreground` stays attached.",
    faces: ["cli"],
  },
  {
    id: "cli.tag",
    source: ["003", "004", "product"],
    behaviour: "`--tag` names the workspace's tag, and `--instance` means the same.",
    faces: ["cli"],
  },
  {
    id: "cli.schedule",
    source: ["004", "surface"],
    behaviour:
      "`schedule` sets an interval or cron with prompt and zone for an agent or a workspace, shows it and clears it.",
    faces: ["cli"],
  },
  {
    id: "cli.doc",
    source: ["002", "surface"],
    behaviour: "`doc` lists, reads, writes, appends and creates documents of a workspace.",
    faces: ["cli"],
  },
  {
    id: "cli.proposal",
    source: ["surface"],
    behaviour: "`proposal` lists, shows, creates, votes and cancels.",
    faces: ["cli"],
  },
  {
    id: "cli.dead",
    source: ["surface"],
    behaviour: "`dead` lists, retries and drops dead letters.",
    faces: ["cli"],
  },
  {
    id: "cli.resource",
    source: ["surface"],
    behaviour: "`resource show` prints the content of a resource.",
    faces: ["cli"],
  },
  {
    id: "cli.export-stats",
    source: ["002", "surface"],
    behaviour: "`export` writes the transcript of a target, and `stats` shows usage and cost.",
    faces: ["cli"],
  },
  {
    id: "cli.context",
    source: ["003", "surface"],
    behaviour:
      "`context send`, `read`, `inbox` and `ack` act as the agent of the run token in the environment and refuse without one.",
    faces: ["cli"],
  },
  {
    id: "cli.feedback",
    source: ["002", "surface"],
    behaviour: "An agent with the feedback tool can submit feedback, which `feedback list` shows.",
    faces: ["cli", "mcp"],
  },
  {
    id: "cli.serve",
    source: ["002"],
    behaviour: "`serve` sends one message to an agent or workflow and prints the whole answer at the end.",
    faces: ["cli"],
  },
  {
    id: "cli.json",
    source: ["003", "surface"],
    behaviour: "With `--json` every command prints one stable shape and nothing else on standard output.",
    faces: ["cli"],
  },
  {
    id: "cli.exit-codes",
    source: ["surface"],
    behaviour: "Exit codes are 0, 1, 2, 3, 4 and 130 as written, for every kind of failure.",
    faces: ["cli"],
  },
  {
    id: "cli.errors",
    source: ["product"],
    behaviour: "An error says what is wrong and what to do next, without a stack trace.",
    faces: ["cli"],
  },
  {
    id: "cli.old-words",
    source: ["003", "product"],
    behaviour: "`up`, `down` and `ps` answer with the command that replaced them.",
    faces: ["cli"],
  },
  {
    id: "cli.help",
    source: ["surface"],
    behaviour: "Every command has `--help` with an example, and a mistyped command gets a suggestion.",
    faces: ["cli"],
  },
  {
    id: "cli.no-color",
    source: ["surface"],
    behaviour: "`NO_COLOR` and a pipe turn colours off.",
    faces: ["cli"],
  },
  {
    id: "cli.project",
    source: ["surface"],
    behaviour: "`--project` works on another folder than the current one.",
    faces: ["cli"],
  },
  {
    id: "cli.auto-start",
    source: ["002", "surface"],
    behaviour: "Commands that need the daemon start it and wait until it answers.",
    faces: ["cli"],
  },
  {
    id: "cli.check",
    source: ["surface"],
    behaviour: "`check` reports every mistake of the project's files with file, line and column and exits 2.",
    faces: ["cli"],
  },
  {
    id: "cli.schema",
    source: ["surface"],
    behaviour: "`schema` prints the JSON Schema of agent, workflow or project.",
    faces: ["cli"],
  },
  {
    id: "cli.doctor",
    source: ["surface"],
    behaviour: "`doctor` and `status` tell what is wrong even when the configuration or the daemon is broken.",
    faces: ["cli"],
  },
  {
    id: "cli.completion",
    source: ["surface"],
    behaviour: "`completion` prints a script the shell accepts.",
    faces: ["cli"],
  },
  {
    id: "cli.verbose",
    source: ["003"],
    behaviour: "`--verbose` on `run` and `start` also shows steps and tool calls.",
    faces: ["cli"],
  },
  {
    id: "cli.send-default",
    source: ["003"],
    behaviour:
      "`send` with a message alone goes to the only agent there is, and is refused with the names when there are several.",
    faces: ["cli"],
  },
  {
    id: "cli.approval",
    source: ["002", "surface"],
    behaviour: "`approval list`, also as `pending`, `approve` and `deny` handle waiting tool calls.",
    faces: ["cli"],
  },
  {
    id: "cli.daemon",
    source: ["surface"],
    behaviour: "`daemon start`, `stop` and `status` work with port, host and `--foreground`.",
    faces: ["cli"],
  },
  {
    id: "cli.fast",
    source: ["proof", "surface"],
    behaviour:
      "The first output of `ls`, `send` and `peek` comes within twice the start-up time of an empty Node program.",
    faces: ["cli"],
  },
];
