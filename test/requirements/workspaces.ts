import type { Requirement } from "./requirement.ts";

/** Where they work and when: workspaces, idleness, schedules and the project around them. */
export const workspaces: readonly Requirement[] = [
  {
    id: "workspace.key",
    source: ["000", "004"],
    behaviour: "A workspace is identified by workflow and tag, and two tags of a workflow share nothing.",
    faces: ["store"],
  },
  {
    id: "workspace.open",
    source: ["000", "architecture"],
    behaviour: "Opening a workspace records it and its participants in file order.",
    faces: ["store"],
  },
  {
    id: "workspace.open-twice",
    source: ["product"],
    behaviour: "Opening a workspace that is open is refused and leaves it running.",
    faces: ["store"],
  },
  {
    id: "workspace.close",
    source: ["000"],
    behaviour: "A closed workspace takes no messages, detaches its agents and keeps its history.",
    faces: ["store"],
  },
  {
    id: "workspace.reopen",
    source: ["000"],
    behaviour: "A workspace that is opened again to go on continues its channel after the last message.",
    faces: ["store"],
  },
  {
    id: "workspace.folder",
    source: ["000", "004", "product"],
    behaviour:
      "A workspace's folder is `.workspace/<workflow>/<tag>/`, with the number of a later instance after it, and the database is `.workspace/agent-worker.db`.",
    faces: ["file"],
  },
  {
    id: "workspace.no-global",
    source: ["000", "product"],
    behaviour: "No workspace or folder called `global` ever comes into being.",
    faces: ["store", "file"],
  },
  {
    id: "workspace.bind",
    source: ["000", "product"],
    behaviour:
      "`bind` puts the workspace's files into the folder it names, where they stay after the workspace is closed.",
    faces: ["file"],
  },
  {
    id: "workspace.provider-memory",
    source: ["001", "003", "product"],
    behaviour: "With provider `memory` nothing of the workspace is on disk and all is gone when it stops.",
    faces: ["store"],
  },
  {
    id: "workspace.isolated",
    source: ["000"],
    behaviour:
      "Messages, documents and inbox of one workspace are never visible in another, also for an agent in both.",
    faces: ["store"],
  },
  {
    id: "workspace.members",
    source: ["surface"],
    behaviour: "The members of a workspace are shown with their role, state and current task.",
    faces: ["store", "mcp"],
  },
  {
    id: "workspace.no-channel",
    source: ["surface"],
    behaviour: "Without a channel, `start`, `ls` and `peek` say in whose direct messages the answers are.",
    faces: ["cli"],
  },
  {
    id: "workspace.status-set",
    source: ["surface"],
    behaviour: "An agent can say what it is working on, and others see it.",
    faces: ["mcp"],
  },
  {
    id: "workspace.standalone-context",
    source: ["003", "product"],
    behaviour: "An agent outside of any workflow works in its direct messages with its personal context.",
    faces: ["store"],
  },
  {
    id: "idle.decision",
    source: ["001", "003", "004"],
    behaviour: "A workspace is idle when its loops are idle and nothing is pending, leased, voted on or being set up.",
    faces: ["domain"],
  },
  {
    id: "idle.pending",
    source: ["001", "004"],
    behaviour: "A pending or leased delivery, one that waits for its retry included, keeps the workspace busy.",
    faces: ["domain"],
  },
  {
    id: "idle.ballot",
    source: ["001", "004"],
    behaviour: "An open ballot keeps the workspace busy.",
    faces: ["domain"],
  },
  {
    id: "idle.setup",
    source: ["architecture"],
    behaviour: "A running setup keeps the workspace busy.",
    faces: ["domain"],
  },
  {
    id: "idle.held",
    source: ["architecture"],
    behaviour: "Rules that act on what happened and files that follow it keep the workspace busy.",
    faces: ["domain"],
  },
  {
    id: "idle.debounce",
    source: ["001", "004", "traps"],
    behaviour:
      "Idle is reported only after the whole condition held through the debounce time; any activity starts it again.",
    faces: ["domain"],
  },
  {
    id: "idle.per-workspace",
    source: ["architecture", "traps"],
    behaviour: "Work in another workspace or in direct messages does not keep this workspace busy.",
    faces: ["domain"],
  },
  {
    id: "idle.failed-loop",
    source: ["architecture", "traps"],
    behaviour: "A failed or stopped loop does not keep a workspace busy forever.",
    faces: ["domain"],
  },
  {
    id: "schedule.interval",
    source: ["000", "001", "004"],
    behaviour:
      "`30s`, `5m` and `1h` are intervals; a schedule that is neither interval nor cron is refused with examples.",
    faces: ["domain"],
  },
  {
    id: "schedule.interval-activity",
    source: ["001", "surface"],
    behaviour: "An interval counts from the last activity of the agent.",
    faces: ["domain"],
  },
  {
    id: "schedule.cron",
    source: ["001", "surface"],
    behaviour: "A cron schedule fires at its times whatever the agent does in between.",
    faces: ["domain"],
  },
  {
    id: "schedule.time-zone",
    source: ["surface"],
    behaviour: "A cron schedule is read in its time zone, and an unknown zone is refused.",
    faces: ["domain"],
  },
  {
    id: "schedule.missed-once",
    source: ["surface"],
    behaviour: "Runs missed while the daemon was down or asleep fire once, not once for each.",
    faces: ["domain"],
  },
  {
    id: "schedule.clock-jump",
    source: ["proof"],
    behaviour: "A clock set back or forward makes a schedule fire at most once more.",
    faces: ["domain"],
  },
  {
    id: "schedule.workspace",
    source: ["000"],
    behaviour:
      "A schedule that names `workflow:tag` wakes the agent there, and one that names a workflow wakes it in a running workspace of it.",
    faces: ["domain"],
  },
  {
    id: "schedule.fallback-dm",
    source: ["000"],
    behaviour:
      "A schedule in a definition without workspace, or whose workflow is not running, wakes the agent in its direct messages.",
    faces: ["domain"],
  },
  {
    id: "schedule.set",
    source: ["004", "surface"],
    behaviour:
      "Setting a schedule for a target keeps it, with its prompt, across restarts and replaces an earlier one.",
    faces: ["store"],
  },
  {
    id: "schedule.list",
    source: ["surface"],
    behaviour: "Schedules are listed with their target, rule, next time and state.",
    faces: ["store"],
  },
  {
    id: "schedule.clear",
    source: ["surface"],
    behaviour: "A cleared schedule never fires again.",
    faces: ["store"],
  },
  {
    id: "schedule.workspace-default",
    source: ["004"],
    behaviour: "A schedule set on a workspace applies to each of its agents that has none of its own.",
    faces: ["store"],
  },
  {
    id: "schedule.prompt-delivered",
    source: ["000", "001", "traps"],
    behaviour:
      "When a schedule fires its prompt arrives as a background delivery at the agent and is in the run's input.",
    faces: ["store"],
  },
  {
    id: "schedule.while-running",
    source: ["001"],
    behaviour: "A schedule that fires while the agent is running adds one delivery and does not pile up.",
    faces: ["store"],
  },
  {
    id: "project.discovery",
    source: ["000"],
    behaviour: "Without a project file the agents of `.agents/*.yaml` and workflows of `.workflows/*.yaml` are found.",
    faces: ["file"],
  },
  {
    id: "project.config",
    source: ["000"],
    behaviour: "`moniro.yaml`, or `.agents.yaml`, lists agents by path or inline and workflows by name.",
    faces: ["file"],
  },
  {
    id: "project.config-workspace",
    source: ["000"],
    behaviour: "The project file's workspace provider and base folder apply to every workflow that sets none.",
    faces: ["file"],
  },
  {
    id: "project.defaults",
    source: ["surface"],
    behaviour: "The project file's `defaults` fill what an agent leaves out and never override it.",
    faces: ["file"],
  },
  {
    id: "project.find-root",
    source: ["product"],
    behaviour: "A project is found from any folder below it.",
    faces: ["file"],
  },
  {
    id: "project.broken-file",
    source: ["surface", "traps"],
    behaviour: "A broken file is reported with its place and the other agents and workflows still load.",
    faces: ["file"],
  },
  {
    id: "project.all-errors",
    source: ["product"],
    behaviour: "A check reports every mistake of a file, each with file, line and column.",
    faces: ["file"],
  },
  {
    id: "project.hostile-yaml",
    source: ["proof"],
    behaviour:
      "Alias bombs, merge-key blow-ups, deep nesting, `__proto__`, duplicate keys, NUL and giant files are refused quickly with the place.",
    faces: ["file"],
  },
  {
    id: "project.opening-inert",
    source: ["product", "traps"],
    behaviour: "Opening or checking a project runs none of its commands and calls no network.",
    faces: ["file"],
  },
];
