import type { AgentDefinition } from "../domain/agent/definition.ts";
import type { Log } from "../kernel/log.ts";
import type { System } from "../kernel/system.ts";
import type { BegunRun } from "../operations/begin-run.ts";
import type { Product } from "../operations/define.ts";
import { callTeamTool, readStanding, teamTools } from "../operations/team-tools.ts";
import type { ToolHost } from "../ports/tools.ts";
import { runCaller } from "../runtime/run-identity.ts";

/** The tools of one run, put together: first the team's, whose names nobody else may take. */
export interface RunToolsParts {
  readonly system: System<Product>;
  readonly begun: BegunRun;
  readonly definition: AgentDefinition;
  readonly log: Log;
}

export async function createRunTools({ system, begun }: RunToolsParts): Promise<ToolHost & AsyncDisposable> {
  const caller = runCaller(begun.run);
  const team = teamTools(caller, await readStanding(system, caller));
  return {
    list: () => team.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    async call({ tool, args }, signal) {
      signal.throwIfAborted();
      return { kind: "result", ...(await callTeamTool(system, caller, tool, args)) };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
