import type { z } from "zod";
import type { grantChangeView } from "../../contract/spaces/grants.ts";
import type { HeldGrant } from "../../domain/grant/grant.ts";
import { grantedTools } from "../../domain/grant/held-grants.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName } from "../core/access.ts";
import type { Execute } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import type { GrantReceiver } from "./grant-receiver.ts";
import { toGrantView } from "./view.ts";

interface GrantChange {
  readonly kind: "grant" | "revoke";
  /** First line of the message. */
  readonly text: string;
  readonly reason: string | undefined;
  readonly before: readonly HeldGrant[];
  readonly after: readonly HeldGrant[];
}

/** Posts the message and stores what follows from it, in one transaction. */
export async function changeGrants(
  ctx: Execute,
  { agent, space, target }: GrantReceiver,
  { kind, text, reason = "", before, after }: GrantChange,
): Promise<Result<z.output<typeof grantChangeView>, Refusal>> {
  const { caller } = ctx;
  const said = reason.trim();
  const receipt = await postMessage(ctx, {
    target,
    sender: callerName(caller),
    kind,
    body: said === "" ? text : `${text}\n${said}`,
    cause: caller.kind === "agent" ? caller.cause : null,
    run: caller.kind === "agent" ? caller.run : null,
  });
  if (!receipt.ok) return receipt;
  await ctx.store.grants.replace(space, after);
  const changed = changedAgents(before, after);
  for (const each of changed)
    await ctx.emit({ type: "grant.changed", space, agent: each, tools: grantedTools(heldBy(after, each)) });
  return ok({
    space,
    agent,
    seq: receipt.value.seq,
    grants: heldBy(after, agent).map((held) => toGrantView(space, held)),
    also: changed.filter((each) => each !== agent),
  });
}

function heldBy(held: readonly HeldGrant[], agent: string): readonly HeldGrant[] {
  return held.filter((each) => each.agent === agent);
}

function changedAgents(before: readonly HeldGrant[], after: readonly HeldGrant[]): readonly string[] {
  const names = new Set([...before, ...after].map(({ agent }) => agent));
  const text = (held: readonly HeldGrant[], agent: string): string => JSON.stringify(heldBy(held, agent));
  return [...names].filter((agent) => text(before, agent) !== text(after, agent));
}
