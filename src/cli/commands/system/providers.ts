import { connectToDaemon } from "../../../client/connect.ts";
import { homeFolder } from "../../../client/home.ts";
import type { ProviderStatus } from "../../../daemon/list-providers.ts";
import { Fault } from "../../../kernel/fault.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

export const providers = defineCommand({
  about: [
    "Lists the model providers of the sdk engine: whether their package is there and their key is known.",
    "Of keys only the names of their variables are shown. Keep a key with: agent-worker login NAME",
    "With add, installs the package of a provider that does not come with the program, for all your projects.",
  ].join("\n"),
  words: ["[add]", "[NAME]"],
  examples: ["agent-worker providers", "agent-worker providers add groq"],

  async run(invocation) {
    const [action, name, ...more] = invocation.words;
    if (action === undefined) return list(invocation);
    if (action !== "add" || more.length > 0) throw new UsageError(`"${action}" is not something to do with providers.`);
    if (name === undefined) throw new UsageError("NAME is missing.", "See them with: agent-worker providers");
    return add(invocation, name);
  },
});

async function list({ terminal, projectDir, print }: Invocation): Promise<number> {
  const { listProviders } = await import("../../../daemon/list-providers.ts");
  const { missingOf } = await import("../../../daemon/machine/missing-for-model.ts");
  const { damagedKeys } = await import("../../../daemon/keys/stored-keys.ts");
  const { keysOnlyHere } = await import("../../../daemon/keys/names-of-keys.ts");
  const listed = await listProviders(terminal.env, projectDir());
  const ofDaemon = await keysOfDaemon(terminal.env);
  const onlyHere = ofDaemon === undefined ? undefined : keysOnlyHere(terminal.env, ofDaemon);
  const problems = [damagedKeys(homeFolder(terminal.env)), onlyHere].filter((each) => each !== undefined);
  return print({ providers: listed, problems: problems.map(({ message }) => message) }, () => {
    const paint = paintFor(terminal);
    const rows = listed.map((each) => [
      each.name,
      stateText(each, onlyHere?.names ?? []),
      each.defaultModel ?? "",
      missingOf(each)?.command ?? "",
    ]);
    const hasKey = listed.some(({ ready, needsBaseUrl }) => ready && !needsBaseUrl);
    const none = hasKey ? "" : "\nNo provider has a key yet. Keep one with: agent-worker login anthropic\n";
    return `${formatTable(paint, ["PROVIDER", "STATE", "MODEL FOR auto", "NEXT"], rows)}${none}${problems.map(({ message, next }) => `\n${message}.\n${next}\n`).join("")}`;
  });
}

/** Returns the names of the keys that a running daemon has; undefined when none runs. */
async function keysOfDaemon(env: Terminal["env"]): Promise<readonly string[] | undefined> {
  try {
    using client = await connectToDaemon({ env });
    return (await client.health()).keys;
  } catch (error) {
    if (error instanceof Fault && error.code === "daemon_unreachable") return undefined;
    throw error;
  }
}

async function add({ terminal, print }: Invocation, name: string): Promise<number> {
  const { addProvider } = await import("../../../daemon/providers/add-provider.ts");
  const added = await addProvider(name, { env: terminal.env, dir: terminal.cwd, onProgress: terminal.progress });
  if (!added.ok) throw new Refused(added.error);
  const { provider, package: packageName, version, folder, isPart } = added.value;
  const done = isPart
    ? `${provider} is part of the program: there is nothing to install.`
    : `Installed ${packageName} ${version} in ${folder}, for all your projects. The daemon uses it from now on.`;
  return print(added.value, `${done}\nKeep its key with: agent-worker login ${provider}\n`);
}

function stateText({ ready, needsBaseUrl, installed, keys }: ProviderStatus, onlyHere: readonly string[]): string {
  if (needsBaseUrl) return "needs base_url in the agent";
  const known = keys.find(({ set, variable }) => set && !onlyHere.includes(variable)) ?? keys.find(({ set }) => set);
  if (ready && known !== undefined && onlyHere.includes(known.variable))
    return `${known.variable} only in this terminal`;
  if (ready) return `ready, ${known?.variable ?? "no key needed"}`;
  return [...(installed ? [] : ["not installed"]), ...(keys.some(({ set }) => set) ? [] : ["no key"])].join(", ");
}
