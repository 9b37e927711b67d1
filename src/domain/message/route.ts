import { ok, type Result } from "../../kernel/result.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Lane } from "../delivery/lane.ts";
import { isReservedName } from "../names.ts";
import type { MessageKind } from "./message.ts";
import type { Target } from "./target.ts";

/**
 * Whom an accepted message is delivered to, and how urgently. Direct messages and mentions are immediate, a message sent
 * to an agent inside a workspace is normal, and what the system says of its own accord (prompts of schedules, notices)
 * is background whoever it names. A channel message that mentions nobody is delivered to nobody: agents read it when
 * they next look. Mentions inside a direct message call nobody, because nobody else can read it. Nobody is delivered
 * their own message, and the person and the system have no deliveries at all.
 */
export interface Route {
  readonly recipient: string;
  readonly lane: Lane;
}

const MAX_FAN_OUT = 1000;

/** One route per recipient, the addressed agent first, then the mentioned in order. */
export function route(message: {
  readonly target: Target;
  readonly sender: string;
  readonly mentioned: readonly string[];
  readonly kind?: MessageKind;
  /** How urgent the sender says it is, whatever the target implies. */
  readonly lane?: Lane | undefined;
}): Result<Route[], Refusal> {
  const { target, sender, mentioned, kind = "message", lane: asked } = message;
  const unprompted = kind === "prompt" || kind === "notice";
  const lanes = new Map<string, Lane>();
  if (target.kind === "dm") lanes.set(target.agent, "immediate");
  if (target.kind === "agent") lanes.set(target.agent, "normal");
  if (target.kind !== "dm") for (const name of mentioned) lanes.set(name, "immediate");

  const routes: Route[] = [];
  for (const [recipient, lane] of lanes) {
    if (recipient === sender || isReservedName(recipient)) continue;
    routes.push({ recipient, lane: unprompted ? "background" : (asked ?? lane) });
  }
  if (routes.length <= MAX_FAN_OUT) return ok(routes);
  // Not `budget_exhausted`: no waiting and no person's consent will make this very message fit.
  return refuse("too_large", `The message would go to ${routes.length} agents; ${MAX_FAN_OUT} is the most.`, {
    hint: "Mention fewer agents, or send several messages.",
    details: { recipients: routes.length, limit: MAX_FAN_OUT },
  });
}
