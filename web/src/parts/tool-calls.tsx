import { visibleText } from "../text/visible-text.ts";
import { PlainText } from "./rich-text.tsx";

/** A folded tool call: arguments and result are shown when it is unfolded. */
export interface ShownCall {
  readonly tool: string;
  readonly args: string;
  /** Undefined or null while there is no result. */
  readonly result: string | null | undefined;
  readonly failed: boolean;
}

export function ToolCalls({ calls }: { readonly calls: readonly ShownCall[] }) {
  return (
    <ul class="calls">
      {calls.map((call, at) => (
        <li key={at}>
          <details>
            <summary>
              <span class={`call-mark ${markOf(call)}`} aria-hidden="true" />
              <code>{visibleText(call.tool)}</code> <span class="dim one-line">{visibleText(call.args)}</span>
              {call.failed ? <span class="bad-text"> failed</span> : null}
            </summary>
            <PlainText text={pretty(call.args)} />
            {call.result == null ? <p class="dim">No answer yet.</p> : <PlainText text={call.result} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

function markOf({ result, failed }: ShownCall): string {
  if (failed) return "failed";
  return result == null ? "working" : "done";
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
