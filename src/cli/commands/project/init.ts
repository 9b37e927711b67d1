import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { homeFolder } from "../../../client/home.ts";
import { prepareHome } from "../../../client/prepare-home.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { EXAMPLE_ENGINES } from "../../../domain/agent/engines.ts";
import { errnoOf, fileFault } from "../../../files/file-fault.ts";
import { createProjectFiles, hasDefinitions } from "../../../files/project/create-project-files.ts";
import { findProject } from "../../../files/project/find-project.ts";
import { TEAM_NAMES, type TeamEngine, type TeamKind } from "../../../files/project/team-templates.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { checkTypedModel } from "../../arguments/typed-model.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";
import { engineText, missingFor, nextSteps } from "./first-steps.ts";

export const init = defineCommand({
  about: [
    "Makes a project: a team of agents with a workflow, on an engine that this machine has, or else on the scripted one,",
    "which needs nothing. On a terminal it says what it found and asks; options answer its questions, and --yes all of",
    "them. Changes no definition that is there; adds .workspace/ to .gitignore.",
  ].join("\n"),
  words: ["[DIR]"],
  options: {
    team: { short: "t", value: "TEAM", about: `The team to begin with: ${TEAM_NAMES.join(", ")}` },
    backend: { short: "b", value: "ENGINE", about: `The engine of the team: ${EXAMPLE_ENGINES.join(", ")}` },
    model: { short: "m", value: "MODEL", about: "The model of the team, such as anthropic/claude-sonnet-5-5" },
    "base-url": { value: "URL", about: "A server of your own for the model, with an interface like that of OpenAI" },
    yes: { short: "y", about: "Ask nothing" },
    project: { value: "DIR", about: "The same as DIR" },
  },
  examples: ["agent-worker init", "agent-worker init --team review", "agent-worker init my-team --backend mock"],

  async run({ words: [dirArgument], options, json, terminal, print }) {
    const named = namedChoice({ ...options, baseUrl: options["base-url"] });
    const dir = await newProjectFolder(terminal.cwd, terminal.env["HOME"], dirArgument ?? options.project);
    const { findModels, usableEngines } = await import("../../../daemon/machine/find-models.ts");
    const found = await findModels({ env: terminal.env, clock: systemClock, dir });
    const usable = usableEngines(found);
    const asks = !options.yes && !json && terminal.interactive && terminal.columns !== undefined;
    const choice =
      asks && !hasDefinitions(dir) && (named.team === undefined || named.engine === undefined)
        ? await (
            await import("../../prompts/ask-for-team.ts")
          ).askForTeam({ dir, named, found, usable, env: terminal.env })
        : { team: named.team ?? "hello", engine: named.engine ?? usable[0] ?? { engine: "mock" as const } };
    if (choice === undefined) {
      terminal.note("Nothing was made.\n");
      return EXIT.interrupted;
    }
    const { team, engine } = choice;
    const { hasCommits } = await import("../../../daemon/machine/has-commits.ts");
    const worktrees = await hasCommits({ env: terminal.env, clock: systemClock, dir });
    const files = await createProjectFiles(dir, team, { engine, worktrees });
    if (!files.ok) throw new Refused(files.error);
    const { created, extended, kept } = files.value;
    const isNew = !kept.some((file) => file.endsWith(".yaml"));
    if (isNew) await trustOwnProject(terminal.env, dir);
    const missing = isNew ? await missingFor(engine, found, terminal.env, dir) : undefined;
    const next = nextSteps({ cwd: terminal.cwd, dir, team: isNew ? team : null, first: missing?.command });
    const value = {
      project: dir,
      created,
      extended,
      kept,
      team: isNew ? team : null,
      engine: isNew ? engine.engine : null,
      model: isNew ? (engine.model ?? null) : null,
      /** A project that is there gets no team. */
      leftOut: isNew ? null : (named.team ?? null),
      usable: [...new Set(usable.map((each) => each.engine))],
      endpoints: found.endpoints,
      next,
    };
    return print(value, () =>
      [
        `${isNew ? "A new project" : "A project is there already"}: ${dir}`,
        ...created.map((file) => `  made  ${file}`),
        ...extended.map((file) => `  added to  ${file}`),
        ...kept.map((file) => `  kept  ${file}`),
        ...(isNew
          ? [
              engineText(engine, {
                usable,
                found,
                isNew: team !== "empty",
                isChosen: named.engine !== undefined,
                files: created.filter((file) => file.endsWith(".yaml")),
              }),
            ]
          : leftOutText(named)),
        ...(missing === undefined ? [] : [`It cannot answer yet. ${missing.what}`]),
        "Next:",
        ...next.map((command) => `  ${command}`),
        "",
      ].join("\n"),
    );
  },
});

/** Says that what was asked for was not done: definitions that are there are never changed. */
function leftOutText({ team, engine }: ReturnType<typeof namedChoice>): string[] {
  if (team === undefined && engine === undefined) return [];
  const what = team === undefined ? "The engine was not changed" : `The team "${team}" was not made`;
  const folder = `agent-worker init NEW_FOLDER${team === undefined ? "" : ` --team ${team}`}`;
  return [`${what}: this project has agents or workflows, and init changes none. In a folder of its own: ${folder}`];
}

interface NamedOptions {
  readonly team?: string | undefined;
  readonly backend?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Returns what the options say. A model without an engine is one of the model API. */
function namedChoice({ team, backend, model, baseUrl }: NamedOptions): {
  readonly team?: TeamKind;
  readonly engine?: TeamEngine;
} {
  const chosenTeam = oneOf("--team", team, TEAM_NAMES);
  const chosenEngine = oneOf("--backend", backend, EXAMPLE_ENGINES);
  if (baseUrl !== undefined && (model === undefined || (chosenEngine ?? "sdk") !== "sdk")) {
    throw new UsageError("--base-url needs --model, and no other engine than sdk.");
  }
  const engine = chosenEngine ?? (model === undefined ? undefined : "sdk");
  if (engine !== undefined && model !== undefined) {
    const server = baseUrl === undefined ? {} : { provider: { name: "openai-compatible", baseUrl } };
    checkTypedModel({ model, backend: engine, ...server });
  }
  const own = { ...(model === undefined ? {} : { model }), ...(baseUrl === undefined ? {} : { baseUrl }) };
  return {
    ...(chosenTeam === undefined ? {} : { team: chosenTeam }),
    ...(engine === undefined ? {} : { engine: { engine, ...own } }),
  };
}

/** What the person made here needs no question. */
async function trustOwnProject(env: Terminal["env"], dir: string): Promise<void> {
  const home = homeFolder(env);
  prepareHome(home);
  const { trustNewProject } = await import("../../../daemon/trust/accept.ts");
  await trustNewProject(home, dir, { withStore: false });
}

/** Makes the named folder. Without a name it is the current folder, unless that is inside another project. */
async function newProjectFolder(cwd: string, home: string | undefined, named: string | undefined): Promise<string> {
  const dir = resolve(cwd, named ?? ".");
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    if (errnoOf(error) === "EEXIST") {
      const message = `${dir} is a file, and a project is a folder.`;
      throw new Refused({ code: "conflict", message, hint: "Name another folder: agent-worker init DIR" });
    }
    throw fileFault("write", dir, error);
  }
  const real = realpathSync(dir);
  const project = findProject(real, home);
  if (named !== undefined || project === real) return real;
  throw new Refused({
    code: "conflict",
    message: `${real} belongs to the project in ${project}.`,
    hint: "For a project of its own here: agent-worker init .",
  });
}
