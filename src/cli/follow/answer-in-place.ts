import type { Client } from "../../client/client.ts";
import type { ApprovalView } from "../../contract/approvals.ts";
import type { RunEvent } from "../../contract/service/work-request.ts";
import { callLines } from "../calls/call-lines.ts";
import type { DecisionAnswer } from "../chat/model/decision.ts";
import { answerDecision } from "../chat/daemon/answer-decision.ts";
import { refusalText } from "../chat/daemon/send-text.ts";
import { ruleLines } from "../chat/view/decision-lines.ts";
import { paintFor } from "../output/paint.ts";
import type { RunDisplay } from "./run-display.ts";
import { paintLine } from "../calls/paint-line.ts";
import type { Terminal } from "../output/terminal.ts";

/**
 * Asks a person at the terminal for the decision that a run waits for. What else happens meanwhile is shown after the
 * answer. Ctrl-C interrupts the watching, as it does elsewhere.
 */
export interface InPlaceAnswers extends Disposable {
  /** Shows an event, or keeps it until the question is answered. */
  show(event: RunEvent): void;
}

const ANSWERS: Readonly<Record<string, DecisionAnswer>> = { y: "yes", n: "no", r: "run" };
const CTRL_C = "\u0003";

export function answerInPlace(
  client: Client,
  terminal: Terminal,
  { show, setAsking }: Pick<RunDisplay, "show" | "setAsking">,
): InPlaceAnswers {
  const paint = paintFor(terminal);
  /** The question that is open, and what happened since. */
  let open: { readonly agent: string; readonly close: AbortController; readonly later: RunEvent[] } | undefined;
  const asked = new Set<string>();

  const finish = (): void => {
    const later = open?.later ?? [];
    open = undefined;
    setAsking(false);
    for (const event of later) take(event);
  };
  const ask = async (id: string, signal: AbortSignal): Promise<void> => {
    const listed = await client.call("list-approvals", {});
    const approval = listed.ok ? listed.value.approvals.find((each) => each.id === id) : undefined;
    if (approval === undefined) return;
    const answer = await askFor(approval, signal);
    if (answer === undefined) return;
    const decision = { kind: "approval" as const, id, space: approval.space, view: approval };
    const { text } = await answerDecision(client, decision, answer, undefined);
    terminal.note(`${text}\n`);
  };
  const askFor = async (approval: ApprovalView, signal: AbortSignal): Promise<DecisionAnswer | undefined> => {
    terminal.note(`${approval.agent} asks to call a tool:\n`);
    for (const line of callLines(approval.tool, approval.args)) terminal.note(`  ${paintLine(paint, line)}\n`);
    for (;;) {
      const key = await keyFor("[y] yes  [n] no  [r] until this run ends  [a] always  [l] later", signal);
      if (key === undefined) {
        terminal.note("It is decided already.\n");
        return undefined;
      }
      if (key === "a") {
        if (await wantsRule(approval.id, signal)) return "always";
      } else if (Object.hasOwn(ANSWERS, key)) return ANSWERS[key];
      else {
        terminal.note(`Left for later. Decide with: agent-worker approve ${approval.id}\n`);
        return undefined;
      }
    }
  };
  /** Shows what `always` writes, and asks whether it should be written. */
  const wantsRule = async (id: string, signal: AbortSignal): Promise<boolean> => {
    const rule = await client.call("preview-allow-rule", { id });
    if (!rule.ok) {
      terminal.note(`${refusalText(rule.error)}\n`);
      return false;
    }
    for (const line of ruleLines(rule.value)) terminal.note(`  ${paintLine(paint, line)}\n`);
    return (await keyFor("[y] write this, and allow the call  [n] go back", signal)) === "y";
  };
  /** Asks, and shows which key was the answer. */
  const keyFor = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
    terminal.note(`${question} `);
    const key = (await readKey(signal))?.toLowerCase();
    terminal.note(key !== undefined && /^[a-z]$/.test(key) ? `${key}\n` : "\n");
    return key;
  };
  const take = (event: RunEvent): void => {
    if (open !== undefined) {
      open.later.push(event);
      // Somebody else has decided: the run goes on.
      if ("agent" in event && event.agent === open.agent && event.type !== "waiting") open.close.abort();
      return;
    }
    const approval = event.type === "waiting" ? event.approval : null;
    if (event.type !== "waiting" || approval === null || asked.has(approval)) return show(event);
    asked.add(approval);
    const close = new AbortController();
    open = { agent: event.agent, close, later: [] };
    setAsking(true);
    ask(approval, close.signal).then(finish, finish);
  };
  return { show: take, [Symbol.dispose]: () => open?.close.abort() };
}

/** Returns the next key; undefined when the signal comes first. */
async function readKey(signal: AbortSignal): Promise<string | undefined> {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await new Promise<string | undefined>((resolve) => {
      stdin.once("data", (data) => resolve(data.toString()));
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    }).then((key) => {
      if (key === CTRL_C) process.kill(process.pid, "SIGINT");
      return key;
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stdin.removeAllListeners("data");
  }
}
