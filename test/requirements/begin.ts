import type { Requirement } from "./requirement.ts";

/** The first five minutes: getting the command, a model and a team. */
export const begin: readonly Requirement[] = [
  {
    id: "begin.missing",
    behaviour:
      "`init`, `providers`, `agent create` and `review` say plainly that a key or a program is missing, with the command that gets it; a wrong `--model` is refused by what was typed, before anything is written.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "begin.login",
    source: ["surface"],
    behaviour:
      "`login PROVIDER` keeps a key that is typed or piped, in the keyring of the system or in a file with mode 0600; the running daemon uses it from the next run on; no output and no log shows it; `logout` removes it.",
    faces: ["cli", "engine"],
  },
  {
    id: "begin.keys",
    source: ["surface"],
    behaviour:
      "A key that the terminal has and the daemon does not have is named by `status`, by `doctor` and by the command whose run failed for it, with what to type.",
    faces: ["cli"],
  },
  {
    id: "begin.add-provider",
    source: ["surface"],
    behaviour:
      "Every message about a provider whose package is missing names `providers add NAME`, which installs it so that the running daemon can use it.",
    faces: ["cli", "engine"],
  },
  {
    id: "begin.find-provider",
    source: ["surface"],
    behaviour:
      "Packages of providers are found in and beside the program, among those that were added, among global ones and in the project; one that only the project has is shown before it gets a key, and it replaces no other.",
    faces: ["engine"],
  },
  {
    id: "begin.teams",
    source: ["surface"],
    behaviour:
      "`init --team review | docs | triage | pair | hello | empty` makes a team that `check` finds in order and that runs, on the engine, model or address that is named.",
    faces: ["cli", "file"],
  },
  {
    id: "begin.local",
    source: ["surface"],
    behaviour: "`init` finds models of Ollama and LM Studio on loopback and uses one when nothing else is there.",
    faces: ["cli"],
  },
  {
    id: "begin.init",
    source: ["surface"],
    behaviour:
      "On a terminal `init` says what it found and what is missing, asks for the team and the engine, and ends with the lines to type, `cd` first; options and `--yes` answer the questions; giving up makes nothing.",
    faces: ["cli"],
  },
  {
    id: "begin.schemas",
    source: ["surface"],
    behaviour:
      "The JSON Schemas are in the package, are read by a strict validator, and refuse what `check` refuses as far as a schema can; `schema --write` puts them where the first lines of definitions name them, and a clone has them.",
    faces: ["cli", "file"],
  },
  {
    id: "begin.words",
    source: ["surface"],
    behaviour:
      "`help TOPIC` shows a guide and `help topics` lists them, `version` says the version, and the name of an agent, a workflow or a guide in the place of a command leads to the command to type.",
    faces: ["cli"],
  },
  {
    id: "begin.package",
    source: ["surface"],
    behaviour:
      "The package holds anthropic, openai, google and openai-compatible, the guides, the teams and the schemas, and names its repository, home page and place for bugs.",
    faces: ["cli", "engine"],
  },
  {
    id: "begin.install",
    source: ["surface"],
    behaviour:
      "The packed package runs after `npm i -g` on Node 24, 25 and 26 and with npx, pnpm, yarn and bun; it takes less than 60 MB and 40 packages.",
    faces: ["cli"],
  },
  {
    id: "begin.old-node",
    source: ["surface"],
    behaviour: "On an older Node the command names one command that works as it is typed.",
    faces: ["cli"],
  },
  {
    id: "begin.stopped",
    source: ["surface"],
    behaviour:
      "After `stop --all` nothing works, whatever starts the daemon: commands that look or change files begin no run; a project goes on with its next run, start or send, and all of them with `daemon start`.",
    faces: ["cli", "http"],
  },
  {
    id: "begin.systems",
    source: ["surface"],
    behaviour: "No call that only Linux has is used without a way for macOS.",
    faces: ["file"],
  },
  {
    id: "begin.stranger",
    behaviour:
      "Whoever begins in another order than the guide is led on: without a team every command names init, a folder in which agents worked before stays trusted when a team is made there, and the list of commands ends with how to begin.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "begin.newcomer",
    source: ["surface"],
    behaviour:
      "Somebody with a package file, a repository and a key gets from installing to a first answer, a chat, an approved edit and its merge by typing what the screen says.",
    faces: ["cli"],
  },
];
