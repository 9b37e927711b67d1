import type { Invocation } from "../invocation.ts";
import { Refused } from "../refused.ts";
import { UsageError } from "./usage-error.ts";

/** Returns the target of a message that names none: the only agent, in its own workspace if it was made with one. */
export async function defaultAgent({ call }: Pick<Invocation, "call">, message: string): Promise<string> {
  const { agents } = await call("list-agents", {});
  const names = agents.map(({ name }) => name);
  if (names.includes(message) || message.startsWith("@")) throw new UsageError("MESSAGE is missing.");
  const only = onlyOne(names, {
    none: ["There is no agent to send to.", "Make one with: agent-worker agent create NAME"],
    several: [
      "There are several agents: say which one.",
      `Name one of ${names.join(", ")}: agent-worker send ${names[0]} MESSAGE`,
    ],
  });
  const { source, workspaces = [] } = agents[0] ?? {};
  const [own] = workspaces.filter((space) => source === "ephemeral" && space.startsWith(`@${only}:`));
  return own === undefined ? only : `${only}${own}`;
}

/** Returns the space to show when none is named: the only open workspace, or the only agent. */
export async function defaultSpace({ call }: Pick<Invocation, "call">): Promise<string> {
  const { workspaces } = await call("list-workspaces", { state: "open" });
  const open = workspaces.map(({ name }) => `@${name}`);
  const names = open.length > 0 ? open : (await call("list-agents", {})).agents.map(({ name }) => name);
  return onlyOne(names, {
    none: [
      "There is nothing to look at yet.",
      "Begin with: agent-worker start WORKFLOW, or agent-worker agent create NAME",
    ],
    several: ["There are several: say which one.", `Name one of ${names.join(", ")}.`],
  });
}

type MessageAndHint = readonly [message: string, hint: string];

function onlyOne(
  names: readonly string[],
  otherwise: { readonly none: MessageAndHint; readonly several: MessageAndHint },
): string {
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const [message, hint] = only === undefined ? otherwise.none : otherwise.several;
  throw new Refused({ code: "invalid", message, hint });
}
