import { formatSpace } from "../../output/format-space.ts";
import { helpLines } from "../view/help-page.ts";
import { CHAT_COMMANDS, readCommand, type TypedCommand } from "./chat-command.ts";
import { withPane, type ChatState, type ChatStep, type Pane } from "./chat-state.ts";
import { targetsOf } from "./completion.ts";
import { answerFocused, decide } from "./decide.ts";
import { answerOf, type DecisionAnswer, type WaitingDecision } from "./decision.ts";
import { focusedDecision } from "./focus.ts";
import { canStart, finishedText, isFinished } from "./finished.ts";
import { draftOf, EMPTY_DRAFT } from "./input-text.ts";
import { searchFor } from "./search.ts";
import { openPane } from "./open-pane.ts";

const MOST_SENT = 200;
/** How far a yes to a tool call reaches, when it is more than this call. */
const REACHES = ["run", "always"] as const;
const DECIDED_WITH_YES = ["approval", "suggestion", "dead"] as const;

/** Sends the draft of a pane, or does what its command says. */
export function submit(state: ChatState, pane: Pane): ChatStep {
  const text = pane.draft.text.trim();
  if (text === "") return { state, effects: [] };
  const asked = focusedDecision(state);
  const answer = asked === undefined ? undefined : answerOf(asked, text.toLowerCase());
  if (answer !== undefined) return answerFocused(state, text, answer);
  const emptied: ChatState = {
    ...withPane(state, pane.space, (each) => ({ ...each, draft: EMPTY_DRAFT, anchor: undefined })),
    sent: [...state.sent, text].slice(-MOST_SENT),
    recalled: undefined,
  };
  const command = readCommand(text);
  if (command !== undefined) return obey(emptied, pane, command, text);
  if (isFinished(state, pane.space)) return leadOn(emptied, pane, text);
  return { state: emptied, effects: [{ type: "send", space: pane.space, text: text.replace(/^\/\//, "/") }] };
}

/** A message for a workspace that is finished becomes the command that goes on in it with this message. */
function leadOn(state: ChatState, { space }: Pane, text: string): ChatStep {
  if (!canStart(state, space)) return refused(state, finishedText(state, space));
  const draft = draftOf(`/start ${text}`);
  const notice = { text: `${formatSpace(space)} is finished: Enter goes on in it with this.`, style: "warn" as const };
  return { state: { ...withPane(state, space, (each) => ({ ...each, draft })), notice }, effects: [] };
}

function obey(state: ChatState, pane: Pane, { name, words, text }: TypedCommand, typed: string): ChatStep {
  const [first] = words;
  switch (name) {
    case "help":
      return { state: { ...state, page: { title: "Help", lines: helpLines(), top: 0 } }, effects: [] };
    case "quit":
    case "exit":
      return { state, effects: [{ type: "quit" }] };
    case "open":
      return first === undefined ? refused(state, "Say whom: /open NAME") : open(state, first);
    case "close":
      return closePane(state, pane);
    case "find":
      return first === undefined ? refused(state, "Say what: /find TEXT") : searchFor(state, words.join(" "));
    case "approve":
    case "deny": {
      const isId = first !== undefined && state.decisions.some(({ id }) => id === first);
      const decision = findDecision(state, isId ? first : undefined, DECIDED_WITH_YES);
      const isReach = REACHES.some((each) => each === first);
      if (first !== undefined && !isId && !isReach && name === "approve") {
        return refused(state, `${first} does not wait for you.`);
      }
      if (decision === undefined) return refused(state, nothingAsked(state, `/${name} ID`));
      const rest = words.slice(isId ? 1 : 0);
      const reach =
        name === "approve" && decision.kind === "approval" ? REACHES.find((each) => each === rest[0]) : undefined;
      const reason = rest.slice(reach === undefined ? 0 : 1).join(" ");
      return give(state, { decision, isId, typed, reason }, name === "approve" ? (reach ?? "yes") : "no");
    }
    case "vote":
      return vote(state, words, typed);
    default:
      if (!CHAT_COMMANDS.some((each) => each.name === name)) {
        return refused(state, `There is no command /${name}. See /help; //${name} sends it as a message.`);
      }
      return { state, effects: [{ type: "command", name, words, text, space: pane.space }] };
  }
}

function vote(state: ChatState, words: readonly string[], typed: string): ChatStep {
  const [first] = words;
  const isId = first !== undefined && state.decisions.some(({ id }) => id === first);
  const ballot = findDecision(state, isId ? first : undefined, ["ballot"]);
  const chosen = words.slice(isId ? 1 : 0).join(" ");
  if (ballot?.kind !== "ballot") return refused(state, nothingAsked(state, "/vote ID OPTION"));
  const option = ballot.view.options.find(({ id, label }, at) =>
    [id, label, String(at + 1)].some((each) => each.toLowerCase() === chosen.toLowerCase()),
  );
  const labels = ballot.view.options.map(({ label }) => label).join(", ");
  if (option === undefined) return refused(state, `Say which: /vote ${ballot.id} OPTION, one of ${labels}.`);
  return give(state, { decision: ballot, isId, typed, reason: "" }, { option: option.id });
}

interface GivenAnswer {
  readonly decision: WaitingDecision;
  /** The person named it by its id. */
  readonly isId: boolean;
  readonly typed: string;
  readonly reason: string;
}

/** Who names a decision decides it. Without an id it is the one that is asked here, as with a key. */
function give(state: ChatState, { decision, isId, typed, reason }: GivenAnswer, answer: DecisionAnswer): ChatStep {
  const said = reason === "" ? undefined : reason;
  return isId ? decide(state, decision, answer, said) : answerFocused(state, typed, answer, said);
}

/** The decision with an id, or without one the one that is asked here. */
function findDecision(
  state: ChatState,
  id: string | undefined,
  kinds: readonly WaitingDecision["kind"][],
): WaitingDecision | undefined {
  const found = id === undefined ? focusedDecision(state) : state.decisions.find((each) => each.id === id);
  return found !== undefined && kinds.includes(found.kind) ? found : undefined;
}

function nothingAsked({ decisions }: ChatState, command: string): string {
  return decisions.length === 0
    ? "Nothing waits for you."
    : `Nothing of this kind is asked here. Say which: ${command}`;
}

function open(state: ChatState, name: string): ChatStep {
  const known = targetsOf(state);
  const found = known.find((each) => each.toLowerCase() === name.toLowerCase());
  const workspace = state.workspaces.find(({ space }) => found !== undefined && formatSpace(space) === found);
  const agent = state.agents.find((each) => each.name === found);
  if (workspace === undefined && agent === undefined) {
    const workflow = name.replace(/^@/, "");
    if (name.startsWith("@") || state.workflows.includes(workflow)) {
      return { state, effects: [{ type: "open-named", name: `@${workflow}` }] };
    }
    return refused(state, `There is no ${name} here. There is ${known.join(", ")}.`);
  }
  return openPane(state, workspace?.space ?? spaceOfAgent(agent?.name ?? name));
}

/** An agent that exists only in a workspace is reached there. */
export function spaceOfAgent(name: string): string {
  const at = name.indexOf("@");
  if (at === -1) return name;
  const place = name.slice(at);
  return place.includes(":") ? place : `${place}:main`;
}

function closePane(state: ChatState, pane: Pane): ChatStep {
  const panes = state.panes.filter((each) => each !== pane && each.space !== pane.space);
  if (panes.length === 0)
    return refused(state, "This is the only pane. Open another with /open NAME; Ctrl-D ends the chat.");
  return { state: { ...state, panes, current: Math.max(0, Math.min(state.current, panes.length - 1)) }, effects: [] };
}

function refused(state: ChatState, text: string): ChatStep {
  return { state: { ...state, notice: { text, style: "bad" } }, effects: [] };
}
