import type { EngineStatus } from "../../../daemon/list-engines.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";

export const backends = defineCommand({
  about:
    "Lists the engines agents can run on: whether their program is found, its version, and whether you are logged in.",
  examples: ["agent-worker backends"],

  async run({ terminal, projectDir, print }) {
    const { listEngines } = await import("../../../daemon/list-engines.ts");
    const engines = await listEngines({ env: terminal.env, clock: systemClock, dir: projectDir() });
    return print({ engines }, () => {
      const rows = engines.map((engine) => [engine.name, stateOf(engine), engine.version ?? "", engine.next ?? ""]);
      return formatTable(paintFor(terminal), ["BACKEND", "STATE", "VERSION", "NEXT STEP"], rows);
    });
  },
});

function stateOf({ program, found, login }: EngineStatus): string {
  if (!found) return "not installed";
  if (login === "no") return program === null ? "no key" : "not logged in";
  return login === "yes" ? "ready" : "found";
}
