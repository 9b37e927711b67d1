import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { homeFolder } from "../../../client/home.ts";
import { prepareHome } from "../../../client/prepare-home.ts";
import type { EngineStatus } from "../../../daemon/list-engines.ts";
import { EXAMPLE_ENGINES } from "../../../domain/agent/engines.ts";
import { fileFault } from "../../../files/file-fault.ts";
import { createProjectFiles, EXAMPLE_AGENT, EXAMPLE_WORKFLOW } from "../../../files/project/create-project-files.ts";
import { findProject } from "../../../files/project/find-project.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { defineCommand } from "../../command.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

export const init = defineCommand({
  about: [
    "Makes a project: an agent and a workflow to begin with, on an engine that this machine has, or else on the",
    "scripted one, which needs nothing. Changes no definition that is there; adds .workspace/ to .gitignore.",
  ].join("\n"),
  words: ["[DIR]"],
  options: {
    backend: { short: "b", value: "ENGINE", about: `The engine of the example: ${EXAMPLE_ENGINES.join(", ")}` },
    project: { value: "DIR", about: "The same as DIR" },
  },
  examples: ["agent-worker init", "agent-worker init my-team --backend mock"],

  async run({ words: [dirArgument], options, terminal, print }) {
    const chosen = oneOf("--backend", options.backend, EXAMPLE_ENGINES);
    const dir = await newProjectFolder(terminal.cwd, terminal.env["HOME"], dirArgument ?? options.project);
    const { listEngines } = await import("../../../daemon/list-engines.ts");
    const engines = await listEngines({ env: terminal.env, clock: systemClock, dir });
    const usable = engines.filter(({ found, next }) => found && next === null);
    const engine = chosen ?? EXAMPLE_ENGINES.find((name) => usable.some((each) => each.name === name)) ?? "mock";
    const files = await createProjectFiles(dir, engine);
    if (!files.ok) throw new Refused(files.error);
    const { created, extended, kept } = files.value;
    const isNew = created.some((file) => file.endsWith(".yaml"));
    if (isNew && !kept.some((file) => file.endsWith(".yaml"))) await trustOwnProject(terminal.env, dir);
    const next = isNew
      ? [
          `agent-worker run ${EXAMPLE_WORKFLOW}`,
          `agent-worker send ${EXAMPLE_AGENT} "hello" --wait`,
          "agent-worker check",
        ]
      : ["agent-worker check", "agent-worker ls"];
    return print(
      {
        project: dir,
        created,
        extended,
        kept,
        engine: isNew ? engine : null,
        usable: usable.map(({ name }) => name),
        next,
      },
      () =>
        [
          `${isNew ? "A new project" : "A project is there already"}: ${dir}`,
          ...created.map((file) => `  made  ${file}`),
          ...extended.map((file) => `  added to  ${file}`),
          ...kept.map((file) => `  kept  ${file}`),
          engineText(engine, usable, { isNew, isChosen: chosen !== undefined }),
          "Next:",
          ...next.map((command) => `  ${command}`),
          "",
        ].join("\n"),
    );
  },
});

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

function engineText(
  engine: string,
  usable: readonly EngineStatus[],
  { isNew, isChosen }: { readonly isNew: boolean; readonly isChosen: boolean },
): string {
  if (isNew && isChosen && engine === "mock") {
    return "The example runs on the scripted engine, as you asked: it needs no model and says what its script says.";
  }
  const found = usable
    .filter(({ name }) => name !== "mock")
    .map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  const engines = found.length === 0 ? "No engine with a model was found." : `Engines found: ${found.join(", ")}.`;
  if (!isNew) return engines;
  if (engine !== "mock") return `${engines} The example runs on ${engine}.`;
  return `${engines} The example runs on the scripted engine, which has no model: see agent-worker backends and providers.`;
}
