import type { KeyEvent } from "../../screen/key.ts";
import { pageHeight, pageRows } from "../view/page-rows.ts";
import { isWhole } from "../view/focused-decision.ts";
import { complete, completionsOf, wordAt } from "./completion.ts";
import { currentPane, withPane, type ChatRequest, type ChatState, type ChatStep } from "./chat-state.ts";
import { openWhole } from "./decide.ts";
import { focusedDecision, toggleLater } from "./focus.ts";
import { draftOf, edit, EMPTY_DRAFT, insert, moveLine, type InputText, type DraftEdit } from "./input-text.ts";
import { read } from "./open-pane.ts";
import { scroll, scrollPage, scrollToEdge } from "./scroll.ts";
import { nextFound, searchFor } from "./search.ts";
import { submit } from "./submit.ts";

/** What a key does. A message about the last key is gone with the next. */
export function pressKey(before: ChatState, key: KeyEvent): ChatStep {
  const state: ChatState = { ...before, notice: undefined, ending: false };
  if (key.kind === "text") return typeText(state, key);
  if (state.page !== undefined) return pressOnPage(state, key.name);
  const name = `${key.ctrl ? "ctrl-" : ""}${key.alt ? "alt-" : ""}${key.shift ? "shift-" : ""}${key.name}`;
  const known = KEYS[name] ?? KEYS[key.name === "newline" ? "newline" : name];
  if (known !== undefined) return known(state, before);
  const paneKey = /^alt-([1-9])$/.exec(name)?.[1];
  if (paneKey !== undefined) return just(goTo(state, Number(paneKey) - 1));
  return just(before);
}

type KeyAction = (state: ChatState, before: ChatState) => ChatStep;

const EDITS: Readonly<Record<string, DraftEdit>> = {
  left: "left",
  right: "right",
  "ctrl-b": "left",
  "ctrl-left": "word-left",
  "ctrl-right": "word-right",
  "alt-b": "word-left",
  "alt-f": "word-right",
  "ctrl-a": "line-start",
  "ctrl-e": "line-end",
  backspace: "remove-left",
  "ctrl-h": "remove-left",
  delete: "remove-right",
  "ctrl-w": "remove-word",
  "alt-backspace": "remove-word",
  "ctrl-u": "remove-to-start",
  "ctrl-k": "remove-to-end",
};

const KEYS: Readonly<Record<string, KeyAction>> = {
  ...Object.fromEntries(
    Object.entries(EDITS).map(([name, how]) => [
      name,
      (state: ChatState) => withDraft(state, (each) => edit(each, how)),
    ]),
  ),
  return: (state) => pressEnter(state),
  enter: (state) => withDraft(state, (draft) => insert(draft, "\n")),
  newline: (state) => withDraft(state, (draft) => insert(draft, "\n")),
  tab: (state) => pressTab(state),
  "shift-tab": (state) => just(goTo(state, state.current - 1)),
  escape: (state) => pressEscape(state),
  up: (state) => moveOrScroll(state, "up"),
  down: (state) => moveOrScroll(state, "down"),
  pageup: (state) => scrollPage(state, -1),
  pagedown: (state) => scrollPage(state, 1),
  home: (state) => edgeOrLine(state, "start"),
  end: (state) => edgeOrLine(state, "end"),
  "ctrl-home": (state) => scrollToEdge(state, "start"),
  "ctrl-end": (state) => scrollToEdge(state, "end"),
  "ctrl-p": (state) => just(recall(state, -1)),
  "ctrl-n": (state) => just(recall(state, 1)),
  "ctrl-o": (state) => just({ ...state, unfolded: !state.unfolded }),
  "ctrl-t": (state) =>
    just({ ...state, together: !state.together, panes: state.panes.map((pane) => ({ ...pane, unread: 0 })) }),
  "ctrl-l": (state) => ({ state, effects: [{ type: "redraw" }] }),
  "ctrl-f": (state) => (state.search?.found === undefined ? just({ ...state, asksSearch: true }) : nextFound(state, 1)),
  "ctrl-g": (state) => nextFound(state, -1),
  "ctrl-d": (state) =>
    (currentPane(state)?.draft.text ?? "") === ""
      ? quit(state)
      : withDraft(state, (draft) => edit(draft, "remove-right")),
  "ctrl-c": (state, before) => {
    if ((currentPane(state)?.draft.text ?? "") !== "")
      return withDraft({ ...state, asksSearch: false }, () => EMPTY_DRAFT);
    return before.ending ? quit(state) : just({ ...state, ending: true });
  },
};

const NOBODY = "Nobody is here to write to. agent-worker init makes a team; Ctrl-D leaves.";

function just(state: ChatState): ChatStep {
  return { state, effects: [] };
}

function quit(state: ChatState): ChatStep {
  return { state, effects: [{ type: "quit" }] };
}

function typeText(state: ChatState, { text }: Extract<KeyEvent, { kind: "text" }>): ChatStep {
  if (state.page !== undefined) return typeOnPage(state, text);
  return withDraft(state, (draft) => insert(draft, text));
}

/** The input is below the page, so what is written goes there. */
function typeOnPage(state: ChatState, text: string): ChatStep {
  const closed = { ...state, page: undefined };
  return text === "q" ? just(closed) : withDraft(closed, (draft) => insert(draft, text));
}

/** Changes the draft of the current pane, and asks for the files that complete it. */
function withDraft(state: ChatState, change: (draft: InputText) => InputText): ChatStep {
  const pane = currentPane(state);
  if (pane === undefined) return just({ ...state, notice: { text: NOBODY, style: "warn" } });
  const draft = change(pane.draft);
  const next = { ...withPane(state, pane.space, (each) => ({ ...each, draft })), completion: 0 };
  const beginning = wordAt(draft.text.slice(0, draft.caret))?.beginning;
  const asks = beginning !== undefined && beginning !== state.paths.beginning && !state.asksSearch;
  const effects: ChatRequest[] = asks ? [{ type: "find-paths", beginning }] : [];
  return { state: next, effects };
}

function pressEnter(state: ChatState): ChatStep {
  const pane = currentPane(state);
  if (pane === undefined) return just({ ...state, notice: { text: NOBODY, style: "warn" } });
  const { text, caret } = pane.draft;
  if (state.asksSearch) {
    const emptied = withPane({ ...state, asksSearch: false }, pane.space, (each) => ({ ...each, draft: EMPTY_DRAFT }));
    return searchFor(emptied, text.trim());
  }
  if (text.slice(0, caret).endsWith("\\")) {
    return withDraft(state, (draft) => insert(edit(draft, "remove-left"), "\n"));
  }
  if (text === "" && focusedDecision(state) !== undefined && !isWhole(state, pane)) return openWhole(state);
  return submit(state, pane);
}

function pressTab(state: ChatState): ChatStep {
  const offered = completionsOf(state);
  const pane = currentPane(state);
  const word = offered?.words[state.completion % offered.words.length];
  if (offered === undefined || pane === undefined || word === undefined) return just(goTo(state, state.current + 1));
  if (pane.draft.text.slice(offered.from, pane.draft.caret) === word) {
    return just({ ...state, completion: state.completion + 1 });
  }
  return withDraft(state, (draft) => complete(draft, offered, word));
}

function pressEscape(state: ChatState): ChatStep {
  if (state.asksSearch) return withDraft({ ...state, asksSearch: false }, () => EMPTY_DRAFT);
  if (state.search !== undefined) return just({ ...state, search: undefined });
  return just(toggleLater(state));
}

function pressOnPage(state: ChatState, name: string): ChatStep {
  const { page } = state;
  if (page === undefined) return just(state);
  const height = pageHeight(state);
  const by = { pagedown: height, pageup: -height, down: 1, up: -1 }[name];
  if (by === undefined) return just({ ...state, page: undefined });
  const top = Math.max(0, Math.min(pageRows(page, state.size.columns).length - height, page.top + by));
  return just({ ...state, page: { ...page, top } });
}

/** In a text of several lines the caret moves; otherwise the pane is scrolled. */
function moveOrScroll(state: ChatState, direction: "up" | "down"): ChatStep {
  const draft = currentPane(state)?.draft ?? EMPTY_DRAFT;
  const moved = draft.text.includes("\n") ? moveLine(draft, direction) : undefined;
  if (moved !== undefined) return withDraft(state, () => moved);
  return scroll(state, direction === "up" ? -1 : 1);
}

function edgeOrLine(state: ChatState, edge: "start" | "end"): ChatStep {
  if ((currentPane(state)?.draft.text ?? "") === "") return scrollToEdge(state, edge);
  return withDraft(state, (draft) => edit(draft, edge === "start" ? "line-start" : "line-end"));
}

function recall(state: ChatState, by: 1 | -1): ChatState {
  const pane = currentPane(state);
  const { sent, recalled } = state;
  if (pane === undefined || sent.length === 0) return state;
  const at = Math.max(0, (recalled ?? sent.length) + by);
  const text = sent[at];
  return {
    ...withPane(state, pane.space, (each) => ({ ...each, draft: draftOf(text ?? "") })),
    recalled: text === undefined ? undefined : at,
  };
}

/** Goes to a pane, around the ends. */
function goTo(state: ChatState, index: number): ChatState {
  const { length } = state.panes;
  return length === 0 ? state : read({ ...state, current: (index + length) % length, search: undefined });
}
