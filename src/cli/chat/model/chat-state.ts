import type { LiveEventView } from "../../../contract/service/live-event.ts";
import type { RunCallsView } from "../../../contract/activity/run-calls.ts";
import type { AgentView } from "../../../contract/agents.ts";
import type { MessageView } from "../../../contract/messages.ts";
import type { RunView } from "../../../contract/runs.ts";
import type { WorkspaceView } from "../../../contract/workspaces.ts";
import type { ScreenSize } from "../../screen/frame.ts";
import type { KeyEvent } from "../../screen/key.ts";
import type { Line, Style } from "../../screen/span.ts";
import type { AllowRuleView } from "../../../contract/approvals.ts";
import type { DecisionAnswer, WaitingDecision } from "./decision.ts";
import { EMPTY_DRAFT, type InputText } from "./input-text.ts";
import type { FeedItem, LiveRun } from "./feed.ts";

/** The line of a feed at the bottom of a pane, when it does not follow the end: a line of an item. */
export interface FeedAnchor {
  readonly key: string;
  readonly line: number;
}

/** One agent or workspace in the chat. */
export interface Pane {
  /** The space, as events name it: `alice`, `@review:main`. */
  readonly space: string;
  readonly items: readonly FeedItem[];
  readonly live: readonly LiveRun[];
  /** Undefined: the end is shown. */
  readonly anchor: FeedAnchor | undefined;
  readonly loaded: boolean;
  /** Whether the daemon has earlier messages, and whether they were asked for. */
  readonly earlier: "some" | "asked" | "none";
  /** Messages that came while another pane was shown. */
  readonly unread: number;
  readonly draft: InputText;
}

export interface Search {
  readonly text: string;
  /** Sequence numbers of the messages that contain it, from the newest to the oldest. Undefined: being looked up. */
  readonly found: readonly number[] | undefined;
  readonly at: number;
}

/** The decision that is asked in the current pane: the only one that an answer without an id decides. */
export interface DecisionFocus {
  readonly id: string;
  /** Since when it is asked here. */
  readonly since: number;
  /** What is in the input was begun before it was asked, or while a page was over it. */
  readonly during: boolean;
}

/** A text over the panes. */
export interface TextPage {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly top: number;
  /** It shows the decision that is asked: what counts as read at its end. */
  readonly asks?: string;
}

export interface ChatState {
  readonly project: string;
  readonly size: ScreenSize;
  readonly now: number;
  /** `lost`: the daemon is gone, and the chat tries to reach it again. */
  readonly connection: "connecting" | "connected" | "lost";
  readonly agents: readonly AgentView[];
  /** Those that are open. */
  readonly workspaces: readonly WorkspaceView[];
  readonly workflows: readonly string[];
  /** Mistakes in files of the project: whom they leave out. */
  readonly problems: readonly string[];
  /** Agents and workspaces were loaded: a workspace that is not among them is finished. */
  readonly teamKnown: boolean;
  /** Everything was stopped with `stop --all`. */
  readonly allStopped: boolean;
  /** The runs that are at work or wait, with what they have used. */
  readonly runs: readonly RunView[];
  readonly decisions: readonly WaitingDecision[];
  /** Ids of decisions that the person looks at later. */
  readonly later: ReadonlySet<string>;
  /** Ids of decisions of spaces without a pane that the person wants to be asked here. */
  readonly called: ReadonlySet<string>;
  readonly focus: DecisionFocus | undefined;
  /** Long decisions that were read to their end. */
  readonly read: ReadonlySet<string>;
  /** What `always` would write for a decision: the person sees it before it is written. */
  readonly rule: { readonly id: string; readonly view: AllowRuleView; readonly seenAt: number } | undefined;
  readonly panes: readonly Pane[];
  readonly current: number;
  /** Panes are shown side by side, as many as fit. */
  readonly together: boolean;
  /** Tool calls are shown whole. */
  readonly unfolded: boolean;
  readonly search: Search | undefined;
  /** The person types what to search for. */
  readonly asksSearch: boolean;
  /** Help, a document, a decision. */
  readonly page: TextPage | undefined;
  /** Paths of files that complete a word, and for which beginning. */
  readonly paths: { readonly beginning: string; readonly found: readonly string[] };
  /** Which of the completions is chosen. */
  readonly completion: number;
  /** What was sent from here, oldest first, and which of it is in the draft. */
  readonly sent: readonly string[];
  readonly recalled: number | undefined;
  readonly notice: { readonly text: string; readonly style: Style } | undefined;
  /** Ctrl-C was pressed: once more ends the chat. */
  readonly ending: boolean;
}

/** What happens to the chat. */
export type ChatEvent =
  | { readonly type: "key"; readonly key: KeyEvent }
  | { readonly type: "resize"; readonly size: ScreenSize }
  | { readonly type: "tick"; readonly now: number }
  | { readonly type: "connection"; readonly connection: ChatState["connection"] }
  | {
      readonly type: "team";
      readonly agents: readonly AgentView[];
      readonly workspaces: readonly WorkspaceView[];
      readonly workflows: readonly string[];
      readonly problems?: readonly string[];
    }
  | { readonly type: "all-stopped"; readonly allStopped: boolean }
  | { readonly type: "rule"; readonly id: string; readonly view: AllowRuleView }
  | { readonly type: "runs"; readonly runs: readonly RunView[] }
  | { readonly type: "decisions"; readonly decisions: readonly WaitingDecision[] }
  | { readonly type: "open"; readonly space: string }
  | {
      readonly type: "messages";
      readonly space: string;
      readonly messages: readonly MessageView[];
      /** Tool calls of runs that worked before the chat was open, or while the daemon was gone. */
      readonly past?: readonly RunCallsView[];
    }
  | {
      readonly type: "earlier";
      readonly space: string;
      readonly messages: readonly MessageView[];
      readonly past?: readonly RunCallsView[];
      readonly more: boolean;
    }
  | { readonly type: "found"; readonly text: string; readonly seqs: readonly number[] }
  | { readonly type: "live"; readonly event: LiveEventView }
  | { readonly type: "run-ended"; readonly run: string }
  | { readonly type: "paths"; readonly beginning: string; readonly found: readonly string[] }
  | { readonly type: "note"; readonly space: string; readonly text: string; readonly style: Style }
  | { readonly type: "notice"; readonly text: string; readonly style: Style }
  /** A text was not accepted: it is put back into the input. */
  | { readonly type: "refused"; readonly space: string; readonly text: string }
  | { readonly type: "page"; readonly title: string; readonly lines: readonly Line[] };

/** What the chat wants to be done. */
export type ChatRequest =
  | { readonly type: "send"; readonly space: string; readonly text: string }
  | { readonly type: "load-earlier"; readonly space: string; readonly before: number }
  | { readonly type: "load"; readonly space: string }
  | { readonly type: "search"; readonly space: string; readonly text: string }
  | { readonly type: "find-paths"; readonly beginning: string }
  | {
      readonly type: "decide";
      readonly decision: WaitingDecision;
      readonly answer: DecisionAnswer;
      readonly reason?: string;
    }
  /** A workspace that is not open, to be read, if there is one of this name. */
  | { readonly type: "open-named"; readonly name: string }
  /** What would `always` write for this decision? */
  | { readonly type: "preview-rule"; readonly decision: WaitingDecision }
  | {
      readonly type: "command";
      readonly name: string;
      readonly words: readonly string[];
      /** The words as they were typed. */
      readonly text: string;
      readonly space: string;
    }
  | { readonly type: "redraw" }
  | { readonly type: "quit" };

/** The state and what to do. */
export interface ChatStep {
  readonly state: ChatState;
  readonly effects: readonly ChatRequest[];
}

export function firstState(project: string, size: ScreenSize, now: number): ChatState {
  return {
    project,
    size,
    now,
    connection: "connecting",
    agents: [],
    workspaces: [],
    workflows: [],
    problems: [],
    teamKnown: false,
    allStopped: false,
    runs: [],
    decisions: [],
    later: new Set(),
    called: new Set(),
    focus: undefined,
    read: new Set(),
    rule: undefined,
    panes: [],
    current: 0,
    together: false,
    unfolded: false,
    search: undefined,
    asksSearch: false,
    page: undefined,
    paths: { beginning: "", found: [] },
    completion: 0,
    sent: [],
    recalled: undefined,
    notice: undefined,
    ending: false,
  };
}

export function newPane(space: string): Pane {
  return {
    space,
    items: [],
    live: [],
    anchor: undefined,
    loaded: false,
    earlier: "some",
    unread: 0,
    draft: EMPTY_DRAFT,
  };
}

export function currentPane({ panes, current }: ChatState): Pane | undefined {
  return panes[current];
}

/** Replaces the pane of a space. */
export function withPane(state: ChatState, space: string, change: (pane: Pane) => Pane): ChatState {
  return { ...state, panes: state.panes.map((pane) => (pane.space === space ? change(pane) : pane)) };
}
