import type { Client } from "../../client/client.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { answerDecision } from "./daemon/answer-decision.ts";
import { ANSWERS } from "./daemon/chat-commands.ts";
import { findPaths } from "./daemon/find-paths.ts";
import { readProject, type ProjectReader } from "./daemon/follow-project.ts";
import { firstSpaces } from "./first-panes.ts";
import { Refused } from "../refused.ts";
import { refusalText, sendText, type SentText } from "./daemon/send-text.ts";
import type { ChatRequest, ChatEvent, ChatState } from "./model/chat-state.ts";
import { update } from "./model/update.ts";

/** The parts of a chat that depend on where it is shown. */
export interface ChatParts {
  readonly first: ChatState;
  readonly projectDir: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called after each event. */
  changed(before: ChatState, after: ChatState): void;
  redraw(): void;
  /** Connects, and starts a daemon that does not run. */
  connect(): Promise<Client>;
}

/** A chat at work. */
export interface Chat {
  readonly state: ChatState;
  dispatch(event: ChatEvent): void;
  /** Follows the project of the client until the chat ends. */
  follow(client: Client): Promise<void>;
  end(): void;
  /** Resolves when the person ends the chat. */
  readonly ended: Promise<void>;
}

export function openChat(parts: ChatParts): Chat {
  const { cwd } = parts;
  let state = parts.first;
  let client: Client | undefined;
  let reader: ProjectReader | undefined;
  const end = Promise.withResolvers<void>();
  const over = new AbortController();

  const finish = (): void => {
    over.abort();
    end.resolve();
  };
  const dispatch = (event: ChatEvent): void => {
    const before = state;
    const step = update(state, event);
    ({ state } = step);
    parts.changed(before, state);
    for (const effect of step.effects) perform(effect).catch((error: unknown) => failed(error));
  };
  const failed = (error: unknown): void => {
    const text =
      error instanceof Refused ? refusalText(error.refusal) : error instanceof Error ? error.message : String(error);
    dispatch({ type: "notice", text, style: "bad" });
  };

  const perform = async (effect: ChatRequest): Promise<void> => {
    switch (effect.type) {
      case "quit":
        return finish();
      case "redraw":
        return parts.redraw();
      case "find-paths":
        return dispatch({ type: "paths", beginning: effect.beginning, found: findPaths(effect.beginning, cwd) });
      case "load":
        return reader?.loadPane(effect.space);
      case "load-earlier":
        return reader?.loadEarlier(effect.space, effect.before);
      case "search":
        return reader?.search(effect.space, effect.text);
      case "send":
        return send(effect.space, effect.text);
      case "decide": {
        const { decision, answer, reason } = effect;
        const { ok, text } = await answerDecision(await reached(), decision, answer, reason);
        dispatch({ type: "note", space: paneFor(decision.space), text, style: ok ? "dim" : "bad" });
        return reader?.refreshDecisions();
      }
      case "open-named": {
        const [space] = await firstSpaces(await reached(), [effect.name]);
        return space === undefined ? undefined : dispatch({ type: "open", space });
      }
      case "preview-rule": {
        const { id, space } = effect.decision;
        const shown = await (await reached()).call("preview-allow-rule", { id });
        if (shown.ok) return dispatch({ type: "rule", id, view: shown.value });
        return dispatch({ type: "note", space: paneFor(space), text: refusalText(shown.error), style: "bad" });
      }
      case "command": {
        const { name, words, text, space } = effect;
        const answer = ANSWERS[name];
        if (answer !== undefined)
          dispatch(await answer({ client: await reached(), state, space, words, text, send, env: parts.env }));
      }
    }
  };

  /** Where to say something about a space: in its pane, or in the current one. */
  const paneFor = (space: string): string =>
    state.panes.some((pane) => pane.space === space) ? space : (state.panes[state.current]?.space ?? "");
  /** The client; when the daemon is gone, it is started again first. */
  const reached = async (): Promise<Client> => {
    if (client === undefined) return (client = await parts.connect());
    if (state.connection !== "connected") (await parts.connect())[Symbol.dispose]();
    return client;
  };
  /** Sends once more when the daemon is gone: the key makes sure that it is accepted once. */
  const sendSafely = async (options: Parameters<typeof sendText>[1]): Promise<SentText> => {
    try {
      return await sendText(await reached(), options);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "daemon_unreachable") throw error;
      (await parts.connect())[Symbol.dispose]();
      return sendText(await reached(), options);
    }
  };
  const send = async (space: string, text: string): Promise<void> => {
    const names = new Set([
      ...state.agents.map(({ name }) => name),
      ...state.workspaces.flatMap(({ participants }) => participants),
    ]);
    const key = `chat-${process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex")}`;
    const { accepted, notes } = await sendSafely({ to: space, text, key, cwd, names }).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      return { accepted: false, notes: [problem] };
    });
    if (notes.length > 0) {
      dispatch({ type: "note", space, text: notes.join("\n"), style: accepted ? "dim" : "bad" });
    }
    // Nothing that was written is lost.
    if (!accepted) dispatch({ type: "refused", space, text });
  };

  return {
    get state() {
      return state;
    },
    dispatch,
    async follow(connected) {
      client = connected;
      reader = readProject(connected, parts.projectDir, () => state, dispatch);
      await reader.follow(over.signal);
    },
    end: finish,
    ended: end.promise,
  };
}

export function tickUntil(ended: Promise<void>, everyMs: number, tick: (now: number) => void): void {
  const over = new AbortController();
  void ended.finally(() => over.abort());
  const run = async (): Promise<void> => {
    for (;;) {
      await systemClock.sleep(everyMs, over.signal);
      tick(systemClock.now());
    }
  };
  run().catch(() => {});
}
