import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { FoundModels } from "../../../daemon/machine/find-models.ts";
import type { ModelNeed } from "../../../daemon/machine/missing-for-model.ts";
import { AUTO_MODEL } from "../../../domain/agent/model.ts";
import { teamTemplate, type TeamEngine, type TeamKind } from "../../../files/project/team-templates.ts";
import { engineLabel, missingText } from "../../output/models/found-models.ts";
import type { Terminal } from "../../output/terminal.ts";

/** What the engine of a new team lacks, and the command that gets it. */
export async function missingFor(
  { engine, model, baseUrl }: TeamEngine,
  { engines }: FoundModels,
  env: Terminal["env"],
  dir: string,
): Promise<ModelNeed | undefined> {
  const { missingForModel } = await import("../../../daemon/machine/missing-for-model.ts");
  if (engine === "sdk") {
    return missingForModel(
      { backend: engine, model: model ?? AUTO_MODEL, ...(baseUrl === undefined ? {} : { baseUrl }) },
      env,
      dir,
    );
  }
  const status = engines.find(({ name }) => name === engine);
  const command = status?.next?.replace(/^.*?: /, "");
  if (command === undefined) return undefined;
  return { what: `${engine} is not ${status?.found === true ? "logged in" : "installed"}.`, command };
}

/** What to type next, in this order. `team` is null for a project that was there. */
export function nextSteps({
  cwd,
  dir,
  team,
  first,
}: {
  readonly cwd: string;
  readonly dir: string;
  readonly team: TeamKind | null;
  /** What the team cannot answer without. */
  readonly first: string | undefined;
}): string[] {
  const folder = relative(realpathSync(cwd), dir);
  const enter =
    folder === ""
      ? []
      : [`cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\\''`)}'`}`];
  if (team === null) return [...enter, "agent-worker check", "agent-worker ls"];
  if (first !== undefined) enter.push(first);
  const { workflow, agent } = teamTemplate(team);
  if (workflow === null) return [...enter, 'agent-worker agent create NAME --system "Who the agent is"'];
  return [...enter, `agent-worker run ${workflow}`, `agent-worker send ${agent} "hello" --wait`, "agent-worker check"];
}

/** Says what the new team runs on, or how to get something it can run on. */
export function engineText(
  engine: TeamEngine,
  about: {
    readonly usable: readonly TeamEngine[];
    readonly found: FoundModels;
    readonly isNew: boolean;
    readonly isChosen: boolean;
    /** The files that were made and name the engine. */
    readonly files: readonly string[];
  },
): string {
  const { usable, found, isNew, isChosen, files } = about;
  if (isNew && isChosen && engine.engine === "mock") {
    return "The team runs on the scripted engine, as you asked: it needs no model and says what its script says.";
  }
  const labels = usable.filter((each) => each.engine !== "mock").map((each) => engineLabel(each, found));
  const chosen = isNew ? ` The team runs on ${engineLabel(engine, found)}.` : "";
  if (isNew && labels.length === 0 && engine.engine !== "mock") return chosen.trim();
  if (labels.length === 0) {
    const scripted =
      isNew && engine.engine === "mock" ? " The team runs on the scripted engine, which has no model." : "";
    const where = isNew ? ` in ${files.join(" and ")}` : "";
    return [
      `No engine with a model was found.${scripted} One of these gets you one:`,
      ...missingText(found),
      `Then write "model: auto" for a key, or "backend: claude" for that program, in the place of "backend: mock"${where}.`,
    ].join("\n");
  }
  return `Engines found: ${labels.join(", ")}.${chosen}`;
}
