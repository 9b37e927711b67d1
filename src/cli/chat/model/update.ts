import { formatSpace } from "../../output/format-space.ts";
import type { ChatEvent, ChatState, ChatStep, Pane } from "./chat-state.ts";
import { currentPane, withPane } from "./chat-state.ts";
import type { WaitingDecision } from "./decision.ts";
import { draftOf } from "./input-text.ts";
import { withCalls, withEarlier, withLater, type SeenCall } from "./feed.ts";
import { settleFocus } from "./focus.ts";
import { followLive } from "./live-runs.ts";
import { withPast } from "./past-calls.ts";
import { openPane } from "./open-pane.ts";
import { noteRead } from "../view/focused-decision.ts";
import { pressKey } from "./press-key.ts";
import { showFound } from "./search.ts";
import { spaceOfAgent } from "./submit.ts";

/** What follows from an event: the next state, and what is to be done. It does nothing itself. */
export function update(state: ChatState, event: ChatEvent): ChatStep {
  const step = changedBy(state, event);
  return { ...step, state: noteRead(settleFocus(step.state)) };
}

function changedBy(state: ChatState, event: ChatEvent): ChatStep {
  switch (event.type) {
    case "key":
      return pressKey(state, event.key);
    case "resize":
      return just({ ...state, size: event.size });
    case "tick":
      return just({ ...state, now: event.now });
    case "connection": {
      // What a daemon did that is gone is not at work any more; what it goes on with is seen again.
      const panes = event.connection === "lost" ? state.panes.map((pane) => ({ ...pane, live: [] })) : state.panes;
      return just({ ...state, panes, connection: event.connection, notice: undefined });
    }
    case "team": {
      const { agents, workspaces, workflows, problems = [] } = event;
      const known = { ...state, agents, workspaces, workflows, problems, teamKnown: true };
      const [first] = [...workspaces.map(({ space }) => space), ...agents.map(({ name }) => spaceOfAgent(name))];
      // A project that had nobody when the chat began has somebody now.
      const wasEmpty = state.teamKnown && state.agents.length + state.workspaces.length + state.panes.length === 0;
      return wasEmpty && first !== undefined ? openPane(known, first) : just(known);
    }
    case "all-stopped":
      return just({ ...state, allStopped: event.allStopped });
    case "rule":
      return just({ ...state, rule: { id: event.id, view: event.view, seenAt: state.now } });
    case "runs":
      return just({ ...state, runs: event.runs });
    case "decisions":
      return just(decisionsChanged(state, event.decisions));
    case "open":
      return openPane(state, event.space);
    case "messages":
      return just(messagesCame(state, event));
    case "earlier":
      return earlierCame(state, event);
    case "found":
      if (state.search?.text !== event.text) return just(state);
      return showFound({ ...state, search: { text: event.text, found: event.seqs, at: 0 } });
    case "live":
      return just(
        withPane(state, event.event.space, (pane) => ({
          ...pane,
          live: followLive(pane.live, pane.items, event.event),
        })),
      );
    case "run-ended":
      return just({ ...state, panes: state.panes.map((pane) => withoutRun(pane, event.run)) });
    case "paths":
      return just({ ...state, paths: { beginning: event.beginning, found: event.found } });
    case "note":
      return just(withPane(state, event.space, (pane) => withNote(pane, event)));
    case "notice":
      return just({ ...state, notice: { text: event.text, style: event.style } });
    case "refused":
      return just(
        withPane(state, event.space, (pane) =>
          pane.draft.text === "" ? { ...pane, draft: draftOf(event.text) } : pane,
        ),
      );
    case "page":
      return just({ ...state, page: { title: event.title, lines: event.lines, top: 0 } });
  }
}

function just(state: ChatState): ChatStep {
  return { state, effects: [] };
}

function messagesCame(
  state: ChatState,
  { space, messages, past = [] }: Extract<ChatEvent, { type: "messages" }>,
): ChatState {
  return withPane(state, space, (pane) => {
    const isShown = currentPane(state)?.space === space || (state.together && pane.loaded);
    // What a run did until it spoke stays above what it said.
    const speaking = new Set(messages.flatMap(({ run, from }) => (run === null || from === "system" ? [] : [run])));
    const isAnswered = ({ result }: SeenCall): boolean => result !== undefined;
    const spoken = pane.live
      .filter(({ run }) => speaking.has(run))
      .map((run) => ({ ...run, calls: run.calls.filter(isAnswered) }));
    // What the chat has said before the first messages were there is about now: it stays below them.
    const added = pane.loaded ? withLater(pane.items, messages) : [...withLater([], messages), ...pane.items];
    const items = withPast(spoken.reduce(withCalls, added), pane.live, past);
    const live = pane.live.map((run) =>
      speaking.has(run.run) ? { ...run, text: "", calls: run.calls.filter((call) => !isAnswered(call)) } : run,
    );
    const unread = isShown || !pane.loaded ? 0 : pane.unread + (added.length - pane.items.length);
    return { ...pane, items, live, loaded: true, unread };
  });
}

function earlierCame(state: ChatState, event: Extract<ChatEvent, { type: "earlier" }>): ChatStep {
  const { space, messages, past = [], more } = event;
  const next = withPane(state, space, (pane) => ({
    ...pane,
    items: withPast(withEarlier(pane.items, messages), pane.live, past),
    earlier: more ? "some" : "none",
  }));
  return state.search?.found !== undefined && currentPane(state)?.space === space ? showFound(next) : just(next);
}

function withoutRun(pane: Pane, run: string): Pane {
  const ended = pane.live.filter((each) => each.run === run);
  if (ended.length === 0) return pane;
  return {
    ...pane,
    items: ended.reduce(withCalls, pane.items),
    live: pane.live.filter((each) => each.run !== run),
  };
}

function withNote(pane: Pane, { text, style }: Extract<ChatEvent, { type: "note" }>): Pane {
  const key = `note/${pane.items.length}`;
  return { ...pane, anchor: undefined, items: [...pane.items, { kind: "note", key, text, style }] };
}

function decisionsChanged(state: ChatState, decisions: readonly WaitingDecision[]): ChatState {
  const known = new Set(state.decisions.map(({ id }) => id));
  const open = new Set(state.panes.map(({ space }) => space));
  const elsewhere = decisions.find(
    ({ id, space }) => !known.has(id) && open.has(space) && space !== currentPane(state)?.space,
  );
  if (elsewhere === undefined) return { ...state, decisions };
  return { ...state, decisions, notice: { text: `${formatSpace(elsewhere.space)} waits for you.`, style: "warn" } };
}
