import type { Invocation } from "../invocation.ts";
import { Refused } from "../refused.ts";

/** What is meant when nothing is named: the only workspace at work, or else the only agent. */
export async function defaultSpace(invocation: Pick<Invocation, "ask">): Promise<string> {
  const { workspaces } = await invocation.ask("list-workspaces", { state: "open" });
  const open = workspaces.map(({ name }) => `@${name}`);
  const names = open.length > 0 ? open : (await invocation.ask("list-agents", {})).agents.map(({ name }) => name);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new Refused({
    code: "invalid",
    message: only === undefined ? "There is nothing to look at yet." : "There are several: say which one.",
    hint:
      only === undefined
        ? "Begin with: agent-worker start WORKFLOW, or agent-worker agent create NAME"
        : `Name one of ${names.join(", ")}.`,
  });
}
