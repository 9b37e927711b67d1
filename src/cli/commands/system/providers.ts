import type { ProviderStatus } from "../../../daemon/list-providers.ts";
import { defineCommand } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";

export const providers = defineCommand({
  about: [
    "Lists the model providers of the sdk engine: whether their package is installed and their key is set.",
    "Of keys only the names of their variables are shown.",
  ].join("\n"),
  examples: ["agent-worker providers"],

  async run({ terminal, print }) {
    const { listProviders } = await import("../../../daemon/list-providers.ts");
    const listed = listProviders(terminal.env);
    return print({ providers: listed }, () => {
      const paint = paintFor(terminal);
      const rows = listed.map((each) => [each.name, each.ready ? "ready" : missing(each), each.defaultModel ?? ""]);
      return formatTable(paint, ["PROVIDER", "STATE", "MODEL FOR auto"], rows);
    });
  },
});

function missing({ package: name, installed, keys, needsBaseUrl }: ProviderStatus): string {
  const steps = [
    ...(installed ? [] : [`npm i ${name}`]),
    ...(needsBaseUrl || keys.some(({ set }) => set)
      ? []
      : [`set ${keys.map(({ variable }) => variable).join(" or ")}`]),
  ];
  return steps.join(", ");
}
