import type { Requirement } from "./requirement.ts";

/** How agents are put together: definitions, parameters, setup and interpolation. */
export const workflows: readonly Requirement[] = [
  {
    id: "workflow.name-default",
    source: ["003"],
    behaviour: "A workflow without a name is called like its file.",
    faces: ["file"],
  },
  {
    id: "workflow.agents-required",
    source: ["000", "003", "004"],
    behaviour: "A workflow needs at least one agent and nothing more.",
    faces: ["file"],
  },
  {
    id: "workflow.entry-kinds",
    source: ["000", "surface"],
    behaviour:
      "Entries of `agents` may be refs, refs with additions, inline agents or the short form, mixed in one file.",
    faces: ["file"],
  },
  {
    id: "workflow.workspace-keys",
    source: ["000", "004", "surface"],
    behaviour:
      "`workspace` takes provider, dir or bind, documents and documentOwner, and defaults to sqlite with file documents.",
    faces: ["file"],
  },
  {
    id: "workflow.context-old",
    source: ["003", "004", "product"],
    behaviour:
      "The old `context` key still works: empty or true for defaults, with provider, documents, documentOwner, dir, channel.file, document.file and config.",
    faces: ["file"],
  },
  {
    id: "workflow.context-off",
    source: ["004", "product"],
    behaviour: "`context: false` gives a workspace without channel and documents.",
    faces: ["file"],
  },
  {
    id: "workflow.kickoff-optional",
    source: ["000", "003"],
    behaviour: "A workflow without kickoff is valid.",
    faces: ["file"],
  },
  {
    id: "workflow.tasks-old",
    source: ["003", "product"],
    behaviour: "A file with the v1 key `tasks` is refused with the setup and kickoff form that replaces it.",
    faces: ["file"],
  },
  {
    id: "workflow.unknown-key",
    source: ["surface", "traps"],
    behaviour: "An unknown key is an error with file, line, column and the closest known key, at every level.",
    faces: ["file"],
  },
  {
    id: "workflow.inline-old-files",
    source: ["000"],
    behaviour: "Files of the earlier versions with inline agents load without change.",
    faces: ["file"],
  },
  {
    id: "workflow.schema",
    source: ["surface"],
    behaviour:
      "The JSON Schemas for agent, workflow and project are draft 7, come from the same definition and accept what the loader accepts.",
    faces: ["file"],
  },
  {
    id: "workflow.owner-known",
    source: ["004", "product"],
    behaviour: "A `documentOwner` that is not an agent of the workflow is refused.",
    faces: ["file"],
  },
  {
    id: "workflow.start-sequence",
    source: ["003", "004", "architecture"],
    behaviour:
      "Starting a workflow checks the file, opens the workspace, runs the setup, elects an owner if asked, posts the kickoff and only then wakes agents.",
    faces: ["store"],
  },
  {
    id: "workflow.start-proposal",
    source: ["002", "architecture"],
    behaviour: "A workflow start is one proposal composed of others, and a refused part leaves nothing half-started.",
    faces: ["store"],
  },
  {
    id: "workflow.kickoff-mentions",
    source: ["001", "003", "004", "traps"],
    behaviour: "The kickoff is posted by the system as the first message and wakes exactly the agents it mentions.",
    faces: ["store"],
  },
  {
    id: "workflow.kickoff-empty",
    source: ["000", "003"],
    behaviour: "A workflow without kickoff starts and waits for messages.",
    faces: ["store"],
  },
  {
    id: "workflow.run-idle",
    source: ["001", "003", "004"],
    behaviour: "A run ends by itself once the workspace is idle, and not while an agent still works.",
    faces: ["cli"],
  },
  {
    id: "workflow.run-dead",
    source: ["architecture", "product"],
    behaviour: "A run that leaves a dead letter ends with exit code 1 and names it.",
    faces: ["cli"],
  },
  {
    id: "workflow.start-persists",
    source: ["001", "003", "004"],
    behaviour: "A started workflow goes on taking messages after it was idle, until it is stopped.",
    faces: ["cli", "http"],
  },
  {
    id: "workflow.tags-parallel",
    source: ["000", "004"],
    behaviour: "Two tags of one workflow run side by side without seeing each other.",
    faces: ["store"],
  },
  {
    id: "workflow.stop",
    source: ["003", "004"],
    behaviour: "Stopping a workspace breaks off the steps that run in it, parks open runs and detaches its agents.",
    faces: ["cli"],
  },
  {
    id: "workflow.restart",
    source: ["product"],
    behaviour: "A started workflow is running again after the daemon restarts, without a second kickoff.",
    faces: ["store"],
  },
  {
    id: "workflow.by-name",
    source: ["000", "surface"],
    behaviour: "A workflow is run by file, by its name in the project, or for a single agent by the agent's name.",
    faces: ["cli"],
  },
  {
    id: "workflow.attach",
    source: ["000"],
    behaviour:
      "A workflow attaches its workspace to the loop a referred agent already has, and detaches it at the end.",
    faces: ["store"],
  },
  {
    id: "workflow.inline-loop",
    source: ["000"],
    behaviour: "The loop of an inline agent begins and ends with its workspace.",
    faces: ["store"],
  },
  {
    id: "workflow.one-agent",
    source: ["001", "002"],
    behaviour:
      "One agent and many run through the same code: a single agent is a workspace with one participant or its direct messages.",
    faces: ["store"],
  },
  {
    id: "param.types",
    source: ["surface"],
    behaviour:
      "Parameters are text, number or boolean, and a value of another type is refused with the parameter's name.",
    faces: ["domain"],
  },
  {
    id: "param.required",
    source: ["surface"],
    behaviour: "A missing required parameter is refused with its name and description.",
    faces: ["domain"],
  },
  {
    id: "param.default",
    source: ["surface"],
    behaviour: "A parameter that was not given takes its default.",
    faces: ["domain"],
  },
  {
    id: "param.choices",
    source: ["surface"],
    behaviour: "A value outside a parameter's choices is refused with the choices.",
    faces: ["domain"],
  },
  {
    id: "param.unknown",
    source: ["surface"],
    behaviour: "A parameter the workflow does not declare is refused with those it does.",
    faces: ["domain"],
  },
  {
    id: "param.from-cli",
    source: ["surface"],
    behaviour: "Parameters after `--` on the command line reach the workflow with their declared types.",
    faces: ["cli"],
  },
  {
    id: "setup.keys",
    source: ["003", "004", "surface"],
    behaviour:
      "A setup step has `shell` and optionally `as`, `cwd` and `timeout`; two steps cannot fill the same name.",
    faces: ["file"],
  },
  {
    id: "setup.order",
    source: ["000", "003", "004"],
    behaviour: "Setup commands run one after the other before the kickoff.",
    faces: ["store"],
  },
  {
    id: "setup.capture",
    source: ["000", "003", "004"],
    behaviour: "The output of a command with `as` is kept under that name, without the last newline.",
    faces: ["store"],
  },
  {
    id: "setup.failure",
    source: ["product"],
    behaviour:
      "A failing or overlong setup command stops the start and shows the command, its exit code and the end of its output.",
    faces: ["cli"],
  },
  {
    id: "setup.large-output",
    source: ["traps"],
    behaviour: "Megabytes of setup output neither abort the start nor fill the memory.",
    faces: ["store"],
  },
  {
    id: "setup.values-as-env",
    source: ["proof", "surface"],
    behaviour: "Values reach a setup command as environment variables and are never spliced into its text.",
    faces: ["store"],
  },
  {
    id: "setup.process-group",
    source: ["proof", "traps"],
    behaviour: "A setup command that is stopped takes its children with it.",
    faces: ["store"],
  },
  {
    id: "interpolation.setup-output",
    source: ["000", "003", "004"],
    behaviour: "`${{ name }}` is replaced by the output kept under that name.",
    faces: ["domain"],
  },
  {
    id: "interpolation.env",
    source: ["003", "004"],
    behaviour: "`${{ env.X }}` is replaced by the environment variable X.",
    faces: ["domain"],
  },
  {
    id: "interpolation.params",
    source: ["surface"],
    behaviour: "`${{ params.X }}` is replaced by the value of the parameter.",
    faces: ["domain"],
  },
  {
    id: "interpolation.workflow",
    source: ["003", "004", "surface"],
    behaviour: "`workflow.name`, `workflow.tag` and its old name `workflow.instance` are replaced.",
    faces: ["domain"],
  },
  {
    id: "interpolation.context",
    source: ["003", "surface"],
    behaviour: "`context.channel`, `context.document` and `project.dir` are replaced by their paths.",
    faces: ["domain"],
  },
  {
    id: "interpolation.unknown",
    source: ["surface"],
    behaviour: "An unknown name is an error that lists the names that exist, never an empty text.",
    faces: ["domain"],
  },
  {
    id: "interpolation.once",
    source: ["proof"],
    behaviour: "A value that itself contains `${{ }}` is inserted as it is and not replaced again.",
    faces: ["domain"],
  },
  {
    id: "interpolation.data",
    source: ["surface", "traps"],
    behaviour: "An `@name` inside a substituted value mentions nobody, while one in the text around it does.",
    faces: ["domain"],
  },
  {
    id: "workflow.setup-output",
    source: ["surface"],
    behaviour: "The output of a setup step is whole, or the start is refused and says why.",
    faces: ["cli"],
  },
];
