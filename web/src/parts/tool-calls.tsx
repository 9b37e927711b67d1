import { duration } from "../text/time.ts";
import { lineOf, shownToolCall } from "../text/tool-call.ts";
import { visibleText } from "../text/visible-text.ts";
import { PlainText } from "./rich-text.tsx";
import { ToolCallView } from "./tool-call.tsx";

/** A folded tool call: arguments and result are shown when it is unfolded. */
export interface ShownCall {
  readonly tool: string;
  readonly args: string;
  /** Undefined or null while there is no result. */
  readonly result: string | null | undefined;
  readonly failed: boolean;
  /** How long it took; absent when it is not known. */
  readonly wallMs?: number | undefined;
  /** The later step that has its answer. */
  readonly answeredIn?: number | undefined;
}

export function ToolCalls({
  calls,
  open = false,
  isOver = false,
}: {
  readonly calls: readonly ShownCall[];
  /** They begin unfolded. */
  readonly open?: boolean;
  /** The run has ended: what has no answer gets none. */
  readonly isOver?: boolean;
}) {
  return (
    <ul class="calls">
      {calls.map((call, at) => (
        <li key={at}>
          <details open={open}>
            <summary>
              <span class={`call-mark ${markOf(call, isOver)}`} aria-hidden="true" />
              <code>{visibleText(call.tool)}</code> <span class="dim one-line">{visibleText(lineOf(call.args))}</span>
              {call.failed ? <span class="bad-text"> failed</span> : null}
              {call.wallMs === undefined ? null : <span class="dim"> {duration(call.wallMs)}</span>}
            </summary>
            <ToolCallView call={shownToolCall(call.args)} />
            {call.result == null ? <p class="dim">{missingAnswer(call, isOver)}</p> : <PlainText text={call.result} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

function markOf({ result, failed, answeredIn }: ShownCall, isOver: boolean): string {
  if (failed) return "failed";
  if (result != null) return "done";
  return isOver || answeredIn !== undefined ? "" : "working";
}

function missingAnswer({ answeredIn }: ShownCall, isOver: boolean): string {
  if (answeredIn !== undefined) return `It waited. Its answer is in step ${answeredIn}.`;
  return isOver ? "It got no answer." : "No answer yet.";
}
