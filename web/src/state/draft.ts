import type { Live } from "../connection/daemon-event.ts";

/** The text and tool calls of a running step, before they are recorded. Removed when the run ends. */
export interface Draft {
  readonly run: string;
  readonly agent: string;
  readonly space: string;
  readonly text: string;
  readonly calls: readonly DraftCall[];
}

export interface DraftCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  /** Undefined while the tool is running. */
  readonly result: string | undefined;
  readonly failed: boolean;
}

export type Drafts = ReadonlyMap<string, Draft>;

const MAX_CHARS = 20_000;

export function applyLiveEvent(drafts: Drafts, event: Live): Drafts {
  const { run, agent, space } = event;
  const draft = drafts.get(run) ?? { run, agent, space, text: "", calls: [] };
  return new Map(drafts).set(run, extend(draft, event));
}

export function withoutRun(drafts: Drafts, run: string): Drafts {
  if (!drafts.has(run)) return drafts;
  return new Map([...drafts].filter(([id]) => id !== run));
}

function extend(draft: Draft, event: Live): Draft {
  switch (event.type) {
    case "step":
      return draft.text === "" ? draft : { ...draft, text: `${draft.text.trimEnd()}\n\n` };
    case "text":
      return { ...draft, text: (draft.text + event.text).slice(-MAX_CHARS) };
    case "tool-call": {
      const { id, tool, shown = event.args } = event;
      const call = { id, tool, args: JSON.stringify(shown) ?? "", result: undefined, failed: false };
      return { ...draft, calls: [...draft.calls.filter((each) => each.id !== id), call] };
    }
    case "tool-result": {
      const { id, tool, content, isError } = event;
      const started = draft.calls.find((each) => each.id === id);
      const call = { ...(started ?? { id, tool, args: "" }), result: content, failed: isError };
      const calls = started ? draft.calls.map((each) => (each === started ? call : each)) : [...draft.calls, call];
      return { ...draft, calls };
    }
  }
}
