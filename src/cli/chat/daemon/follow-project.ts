import type { Client, WireEvent } from "../../../client/client.ts";
import type { ChatEvent, ChatState } from "../model/chat-state.ts";
import { lastSeq, messagesOf } from "../model/feed.ts";
import { loadDecisions } from "./load-decisions.ts";
import { readPastCalls } from "./past-calls.ts";
import { refresher } from "./refresher.ts";

/** What the chat loads from the daemon. */
export interface ProjectReader {
  loadPane(space: string): Promise<void>;
  loadEarlier(space: string, before: number): Promise<void>;
  search(space: string, text: string): Promise<void>;
  refreshDecisions(): Promise<void>;
  /** Loads what changes until the signal. When the daemon is gone, it is said, and everything is loaded when it is back. */
  follow(signal: AbortSignal): Promise<void>;
}

const FIRST_PAGE = 100;
const PAGE = 500;
const DECISION_EVENT = /^(approval|ballot|suggestion)\.|^delivery\.(dead|revived|dropped)$/;
const TEAM_EVENT = /^(run|agent|workspace|grant)\.|^definitions\.changed$/;

export function readProject(
  client: Client,
  projectDir: string,
  state: () => ChatState,
  dispatch: (event: ChatEvent) => void,
): ProjectReader {
  const refreshTeam = refresher(async () => {
    const [listed, open, files, unfinished] = await Promise.all([
      client.call("list-agents", {}),
      client.call("list-workspaces", { state: "open" }),
      client.call("list-workflows", {}),
      client.call("list-runs", { unfinished: true, limit: PAGE / 5 }),
    ]);
    if (unfinished.ok) dispatch({ type: "runs", runs: unfinished.value.runs });
    if (!listed.ok || !open.ok) return;
    dispatch({
      type: "team",
      agents: [...listed.value.agents, ...listed.value.workflowAgents],
      workspaces: open.value.workspaces,
      workflows: files.ok ? files.value.workflows.map(({ name }) => name) : [],
      problems: listed.value.problems
        .filter(({ severity }) => severity === "error")
        .map(({ file, line, message }) => `${file}:${line}: ${message}`),
    });
  });
  /** `stop --all` ends the daemon, so it is known after connecting; from then on it is looked at until work goes on. */
  const refreshStopped = async (): Promise<void> => {
    const { projects } = await client.health();
    const allStopped = projects.some(({ dir, stopped }) => dir === projectDir && stopped === true);
    if (allStopped !== state().allStopped) dispatch({ type: "all-stopped", allStopped });
  };
  const refreshDecisions = refresher(async () => {
    dispatch({ type: "decisions", decisions: await loadDecisions(client) });
  });
  const pastCalls = readPastCalls(client);
  /** Reads what came since the last message that is known. */
  const loadNew = async (space: string, isBack = false): Promise<void> => {
    for (let full = true; full;) {
      const pane = state().panes.find((each) => each.space === space);
      if (pane === undefined || !pane.loaded) return;
      const page = await client.call("peek-channel", { target: space, since: lastSeq(pane.items), limit: PAGE });
      if (!page.ok) return;
      const { messages } = page.value;
      // What was done while nobody watched is not streamed again.
      const past = isBack ? await pastCalls.since(space, [...messagesOf(pane.items), ...messages], true) : [];
      dispatch({ type: "messages", space, messages, past });
      full = page.value.messages.length === PAGE;
    }
  };
  const loadPane = async (space: string): Promise<void> => {
    const page = await client.call("peek-channel", { target: space, limit: FIRST_PAGE });
    if (!page.ok) return dispatch({ type: "notice", text: page.error.message, style: "bad" });
    const { messages } = page.value;
    dispatch({ type: "messages", space, messages, past: await pastCalls.since(space, messages, true) });
    if (messages.length < FIRST_PAGE) dispatch({ type: "earlier", space, messages: [], more: false });
  };
  const recorded = async (event: WireEvent): Promise<void> => {
    const space = typeof event["space"] === "string" ? event["space"] : "";
    if (event.type === "message.posted") await loadNew(space);
    // One that was put aside does nothing now; what it does when it goes on is seen again.
    if ((event.type === "run.ended" || event.type === "run.parked") && typeof event["run"] === "string")
      dispatch({ type: "run-ended", run: event["run"] });
    if (DECISION_EVENT.test(event.type)) await refreshDecisions();
    if (state().allStopped) await refreshStopped();
    if (TEAM_EVENT.test(event.type)) await refreshTeam();
  };
  return {
    loadPane,
    async loadEarlier(space, before) {
      const page = await client.call("peek-channel", { target: space, before, limit: PAGE });
      const messages = page.ok ? page.value.messages : [];
      const past = await pastCalls.since(space, messages);
      dispatch({ type: "earlier", space, messages, past, more: messages.length === PAGE });
    },
    async search(space, text) {
      const page = await client.call("peek-channel", { target: space, find: text, limit: PAGE });
      const seqs = page.ok ? page.value.messages.map(({ seq }) => seq).toReversed() : [];
      dispatch({ type: "found", text, seqs });
    },
    refreshDecisions,
    async follow(signal) {
      for await (const watched of client.watch({ signal })) {
        if (watched.kind === "lost") dispatch({ type: "connection", connection: "lost" });
        else if (watched.kind === "live") {
          dispatch({ type: "live", event: watched.event });
          // What a run has used is known after each of its steps.
          if (watched.event.type === "step") void refreshTeam().catch(() => {});
        } else {
          try {
            if (watched.kind === "recorded") await recorded(watched.event);
            else {
              dispatch({ type: "connection", connection: "connected" });
              await Promise.all([refreshTeam(), refreshDecisions(), refreshStopped()]);
              for (const { space, loaded } of state().panes) await (loaded ? loadNew(space, true) : loadPane(space));
            }
          } catch {
            // The daemon is gone in the middle: the stream says so next, and everything is loaded again.
          }
        }
      }
    },
  };
}
