import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Lane } from "../delivery/lane.ts";
import { isReservedName } from "../names.ts";
import { isAboutRights, type MessageKind } from "./message.ts";
import type { Target } from "./target.ts";

/**
 * The recipients of an accepted message and their lanes. Direct messages and mentions are immediate, a message to an
 * agent in a workspace is normal, and messages of the system (prompts of schedules, notices) are always background. A
 * channel message without mentions has no recipients: agents read it in a later run. A grant wakes only who is mentioned. Mentions in a direct message have no
 * effect, because no other agent can read it. The sender, the person and the system are never recipients.
 */
export interface Route {
  readonly recipient: string;
  readonly lane: Lane;
}

const MAX_FAN_OUT = 1000;

/** Returns one route per recipient: the addressed agent first, then the mentioned agents in order. */
export function route(message: {
  readonly target: Target;
  readonly sender: string;
  readonly mentioned: readonly string[];
  readonly kind?: MessageKind;
  /** The lane that the sender chose, instead of that of the target. */
  readonly lane?: Lane | undefined;
}): Result<Route[], Refusal> {
  const { target, sender, mentioned, kind = "message", lane: chosen } = message;
  const fromSystem = kind === "prompt" || kind === "notice";
  const lanes = new Map<string, Lane>();
  const wakesAddressee = !isAboutRights(kind);
  if (target.kind === "dm" && wakesAddressee) lanes.set(target.agent, "immediate");
  if (target.kind === "agent" && wakesAddressee) lanes.set(target.agent, "normal");
  if (target.kind !== "dm") for (const name of mentioned) lanes.set(name, "immediate");

  const routes: Route[] = [];
  for (const [recipient, lane] of lanes) {
    if (recipient === sender || isReservedName(recipient)) continue;
    routes.push({ recipient, lane: fromSystem ? "background" : (chosen ?? lane) });
  }
  if (routes.length <= MAX_FAN_OUT) return ok(routes);
  // Not `budget_exhausted`: neither waiting nor the approval of a person makes this message acceptable.
  return refuse("too_large", `The message would go to ${routes.length} agents; ${MAX_FAN_OUT} is the most.`, {
    hint: "Mention fewer agents, or send several messages.",
    details: { recipients: routes.length, limit: MAX_FAN_OUT },
  });
}
