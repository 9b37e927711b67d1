/** What happens inside a step, as `GET /events?live=1` streams it: words as they come, tools as they are called. Not stored. */
export type LiveEventView = { readonly run: string; readonly space: string; readonly agent: string } & (
  | { readonly type: "step"; readonly number: number }
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly tool: string;
      readonly args: unknown;
      /** What people read in place of the arguments: a file that is written whole, as the lines that change. */
      readonly shown?: unknown;
    }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly tool: string;
      /** For a call that had waited for an approval: it was announced before. */
      readonly args?: unknown;
      readonly shown?: unknown;
      readonly content: string;
      readonly isError: boolean;
    }
);
