import type { Invocation } from "../invocation.ts";
import { Refused } from "../refused.ts";
import { UsageError } from "./usage-error.ts";

/** Where a message without a target goes: to the only agent there is. */
export async function defaultAgent(invocation: Pick<Invocation, "ask">, message: string): Promise<string> {
  const { agents } = await invocation.ask("list-agents", {});
  const names = agents.map(({ name }) => name);
  if (names.includes(message) || message.startsWith("@")) throw new UsageError("MESSAGE is missing.");
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new Refused({
    code: "invalid",
    message: only === undefined ? "There is no agent to send to." : "There are several agents: say which one.",
    hint:
      only === undefined
        ? "Make one with: agent-worker agent create NAME"
        : `Name one of ${names.join(", ")}: agent-worker send ${only} MESSAGE`,
  });
}
