import type { Client } from "../../../client/client.ts";
import type { DecisionAnswer, WaitingDecision } from "../model/decision.ts";
import { refusalText } from "./send-text.ts";

/** Tells the daemon what the person decided. Returns what to say about it. */
export async function answerDecision(
  client: Client,
  decision: WaitingDecision,
  answer: DecisionAnswer,
  reason: string | undefined,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { id } = decision;
  const yes = answer !== "no";
  const result = await call();
  return result.ok ? { ok: true, text: doneText(decision, answer) } : { ok: false, text: refusalText(result.error) };

  function call() {
    switch (decision.kind) {
      case "approval":
        return yes
          ? client.call("approve", { id, reason, scope: answer === "run" || answer === "always" ? answer : "once" })
          : client.call("deny", { id, reason });
      case "ballot":
        return client.call("cast-vote", { id, option: typeof answer === "object" ? answer.option : "", reason });
      case "suggestion":
        return yes ? client.call("accept-suggestion", { id }) : client.call("reject-suggestion", { id, reason });
      case "dead":
        return client.call(yes ? "retry-dead-letter" : "drop-dead-letter", { id });
    }
  }
}

function doneText(decision: WaitingDecision, answer: DecisionAnswer): string {
  const yes = answer !== "no";
  switch (decision.kind) {
    case "approval": {
      const { agent, tool } = decision.view;
      return `You ${yes ? "allowed" : "did not allow"} ${agent} to call ${tool}.${reachText(answer)}`;
    }
    case "ballot": {
      const chosen = typeof answer === "object" ? answer.option : "";
      const label = decision.view.options.find(({ id }) => id === chosen)?.label ?? chosen;
      return `You voted for ${label}: ${decision.view.title}`;
    }
    case "suggestion":
      return `You ${yes ? "accepted" : "rejected"} the change of ${decision.view.file}.`;
    case "dead":
      return yes ? `It is delivered to ${decision.view.agent} again.` : "It is given up; its message stays.";
  }
}

/** How far the yes reaches. */
function reachText(answer: DecisionAnswer): string {
  if (answer === "run") return " The same call is not asked about again until this run ends.";
  return answer === "always" ? " From now on too: its file has the rule." : "";
}
