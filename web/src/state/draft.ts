import type { Live } from "../connection/daemon-event.ts";

/** What an agent is saying and doing right now, before it is said and done. Shown, and forgotten when the run ends. */
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
  /** Undefined while the tool is at work. */
  readonly result: string | undefined;
  readonly failed: boolean;
}

export type Drafts = ReadonlyMap<string, Draft>;

const LONGEST = 20_000;

export function withLive(drafts: Drafts, event: Live): Drafts {
  const { run, agent, space } = event;
  const draft = drafts.get(run) ?? { run, agent, space, text: "", calls: [] };
  return new Map(drafts).set(run, grown(draft, event));
}

export function withoutRun(drafts: Drafts, run: string): Drafts {
  if (!drafts.has(run)) return drafts;
  return new Map([...drafts].filter(([id]) => id !== run));
}

function grown(draft: Draft, event: Live): Draft {
  switch (event.type) {
    case "step":
      return draft.text === "" ? draft : { ...draft, text: `${draft.text.trimEnd()}\n\n` };
    case "text":
      return { ...draft, text: (draft.text + event.text).slice(-LONGEST) };
    case "tool-call": {
      const { id, tool, args } = event;
      const call = { id, tool, args: JSON.stringify(args) ?? "", result: undefined, failed: false };
      return { ...draft, calls: [...draft.calls.filter((each) => each.id !== id), call] };
    }
    case "tool-result": {
      const { id, tool, content, isError } = event;
      const asked = draft.calls.find((each) => each.id === id) ?? { id, tool, args: "" };
      const call = { ...asked, result: content, failed: isError };
      const known = draft.calls.some((each) => each.id === id);
      const calls = known ? draft.calls.map((each) => (each.id === id ? call : each)) : [...draft.calls, call];
      return { ...draft, calls };
    }
  }
}
