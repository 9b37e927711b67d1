import type { Requirement } from "./requirement.ts";

/** What is said before anything runs, and what is said when something was typed that cannot be done. */
export const checks: readonly Requirement[] = [
  {
    id: "check.file",
    source: ["surface"],
    behaviour: "`check FILE` checks that file, inside or outside a project, and says when there is none.",
    faces: ["cli"],
  },
  {
    id: "check.names",
    source: ["surface"],
    behaviour: "`check` finds tools, models and providers that do not exist.",
    faces: ["cli"],
  },
  {
    id: "check.kickoff",
    source: ["surface"],
    behaviour:
      "A kickoff that mentions somebody who does not take part is an error; one that mentions nobody is a warning.",
    faces: ["cli"],
  },
  {
    id: "check.shadow",
    source: ["surface"],
    behaviour: "A workflow that defines an agent of the project again is warned about.",
    faces: ["cli"],
  },
  {
    id: "check.broken-ref",
    source: ["surface"],
    behaviour: "A reference to an agent whose file is broken names the file and the line.",
    faces: ["cli"],
  },
  {
    id: "check.memory",
    source: ["surface"],
    behaviour:
      "`check` and `doctor` find memory files that cannot be read, keys in two files and the folder of a renamed agent; a key that is deleted is gone from every file.",
    faces: ["cli", "file"],
  },
  {
    id: "check.folders",
    source: ["surface"],
    behaviour: "A folder of memories that belongs to no agent is warned about as long as it does; nobody is guessed.",
    faces: ["cli", "file"],
  },
  {
    id: "check.default-provider",
    source: ["surface"],
    behaviour: "The default provider serves agents with a model of their own, unless the model names another provider.",
    faces: ["file"],
  },
  {
    id: "check.file-names",
    source: ["surface"],
    behaviour: "Names and tags that a file system cannot hold are refused.",
    faces: ["cli", "domain"],
  },
  {
    id: "hints.broken",
    source: ["surface"],
    behaviour: "A broken definition file is shown by `ls` and `status` and named wherever it is asked for.",
    faces: ["cli"],
  },
  {
    id: "hints.work",
    source: ["surface"],
    behaviour: "A hint names no command that would fail, and no file that is not meant.",
    faces: ["cli"],
  },
  {
    id: "hints.peek",
    source: ["003", "surface"],
    behaviour: "`peek` of an agent that does not exist is refused; `peek --to TARGET` is `peek TARGET`.",
    faces: ["cli"],
  },
  {
    id: "hints.removed",
    source: ["surface"],
    behaviour: "A removed agent is not said to exist in the workspaces it took part in.",
    faces: ["cli"],
  },
  {
    id: "hints.sentences",
    source: ["surface"],
    behaviour: "Refusals and their hints are whole sentences, and name the option that is typed.",
    faces: ["cli"],
  },
  {
    id: "hints.old-tools",
    source: ["003", "surface"],
    behaviour: "A call of a tool of an earlier version is answered with the name of the new one.",
    faces: ["engine"],
  },
  {
    id: "schedule.same-length",
    source: ["001", "surface"],
    behaviour: "An interval keeps its length, also after runs in which the agent found nothing to do.",
    faces: ["store", "cli"],
  },
  {
    id: "schedule.rests",
    source: ["surface"],
    behaviour: "The schedule of a stopped workspace rests and says so; what passed meanwhile is not missed.",
    faces: ["store", "cli"],
  },
  {
    id: "project.upwards",
    source: ["surface"],
    behaviour: "A command in a subfolder finds its project upwards, up to the home folder; git ignores its data.",
    faces: ["cli"],
  },
  {
    id: "project.no-trace",
    source: ["surface"],
    behaviour: "`ls` in a folder without a project makes nothing; a file above the current folder is run where it is.",
    faces: ["cli"],
  },
  {
    id: "project.one-file",
    source: ["surface"],
    behaviour: "A project file ends in .yaml or .yml; two of them are an error that names both.",
    faces: ["cli"],
  },
  {
    id: "hints.no-such-name",
    source: ["surface"],
    behaviour: "A name that does not exist is refused by every command that lists what belongs to it, and over MCP.",
    faces: ["cli"],
  },
  {
    id: "hints.params",
    source: ["surface"],
    behaviour: "`ls` lists what a workflow takes as it is typed, and a parameter typed as an option gets the hint how.",
    faces: ["cli"],
  },
  {
    id: "hints.project",
    source: ["surface"],
    behaviour: "A hint keeps the `--project` that was typed.",
    faces: ["cli"],
  },
  {
    id: "hints.init-engine",
    source: ["surface"],
    behaviour: "`init` says that the example runs on the engine that was asked for.",
    faces: ["cli"],
  },
  {
    id: "check.leftover-folder",
    source: ["surface"],
    behaviour: "`check` blames no agent for the folder that a deleted one left.",
    faces: ["cli"],
  },
];
