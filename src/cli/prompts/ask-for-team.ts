import { intro, isCancel, note, password, select } from "@clack/prompts";
import { homeFolder } from "../../client/home.ts";
import { storeKey } from "../../daemon/keys/stored-keys.ts";
import type { FoundModels } from "../../daemon/machine/find-models.ts";
import { PROVIDERS } from "../../domain/agent/providers.ts";
import { TEAM_TEMPLATES, type TeamEngine, type TeamKind } from "../../files/project/team-templates.ts";
import { engineLabel, foundText, missingText } from "../output/models/found-models.ts";
import type { Terminal } from "../output/terminal.ts";
import { assumeTerminalSize } from "./terminal-size.ts";

interface Conversation {
  readonly dir: string;
  /** What the options say already, which is not asked. */
  readonly named: { readonly team?: TeamKind; readonly engine?: TeamEngine };
  readonly found: FoundModels;
  readonly usable: readonly TeamEngine[];
  readonly env: Terminal["env"];
}

/** Says what was found and asks which team to make, and on what. Returns undefined when the person gives up. */
export async function askForTeam(
  conversation: Conversation,
): Promise<{ readonly team: TeamKind; readonly engine: TeamEngine } | undefined> {
  const { dir, named, found } = conversation;
  assumeTerminalSize();
  intro(`A new team in ${dir}`);
  note(foundText(found).join("\n"), "On this machine");
  const team = named.team ?? (await askTeam());
  if (team === undefined) return undefined;
  const engine = named.engine ?? (await askEngine(conversation));
  return engine === undefined ? undefined : { team, engine };
}

async function askTeam(): Promise<TeamKind | undefined> {
  const options = TEAM_TEMPLATES.map(({ name, about }) => ({ value: name, label: name, hint: about }));
  const answer = await select({ message: "Which team do you want to begin with?", options });
  return isCancel(answer) ? undefined : answer;
}

const KEY = "key";

async function askEngine({ found, usable, env }: Conversation): Promise<TeamEngine | undefined> {
  if (usable.every(({ engine }) => engine === "mock")) note(missingText(found).join("\n"), "No model yet. To get one");
  const options = [
    ...usable.map((engine, index) => ({ value: String(index), label: engineLabel(engine, found) })),
    { value: KEY, label: "the API of a provider: I have a key" },
  ];
  const answer = await select({ message: "What should it run on?", options });
  if (isCancel(answer)) return undefined;
  return answer === KEY ? askKey(env) : usable[Number(answer)];
}

async function askKey(env: Terminal["env"]): Promise<TeamEngine | undefined> {
  const rows = PROVIDERS.filter(({ keyVariables, version }) => keyVariables.length > 0 && version === undefined);
  const provider = await select({
    message: "Of which provider?",
    options: rows.map(({ name, defaultModel }) => ({ value: name, label: name, hint: defaultModel ?? "" })),
  });
  if (isCancel(provider)) return undefined;
  const key = await password({
    message: `The key of ${provider}`,
    validate: (typed) =>
      (typed ?? "").trim() === "" ? "The key is empty. Type it, or give up with Ctrl-C." : undefined,
  });
  const [variable] = rows.find(({ name }) => name === provider)?.keyVariables ?? [];
  if (isCancel(key) || variable === undefined) return undefined;
  await storeKey({ home: homeFolder(env), env }, variable, key.trim(), "keyring");
  return { engine: "sdk", model: `${provider}/auto` };
}
