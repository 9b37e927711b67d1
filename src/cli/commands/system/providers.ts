import type { ProviderStatus } from "../../../daemon/list-providers.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
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
  const listed = await listProviders(terminal.env, projectDir());
  return print({ providers: listed }, () => {
    const paint = paintFor(terminal);
    const rows = listed.map((each) => [
      each.name,
      stateText(each),
      each.defaultModel ?? "",
      missingOf(each)?.command ?? "",
    ]);
    const hasKey = listed.some(({ ready, needsBaseUrl }) => ready && !needsBaseUrl);
    const none = hasKey ? "" : "\nNo provider has a key yet. Keep one with: agent-worker login anthropic\n";
    return `${formatTable(paint, ["PROVIDER", "STATE", "MODEL FOR auto", "NEXT"], rows)}${none}`;
  });
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

function stateText({ ready, needsBaseUrl, installed, keys }: ProviderStatus): string {
  if (needsBaseUrl) return "needs base_url in the agent";
  if (ready) return `ready, ${keys.find(({ set }) => set)?.variable ?? "no key needed"}`;
  return [...(installed ? [] : ["not installed"]), ...(keys.some(({ set }) => set) ? [] : ["no key"])].join(", ");
}
