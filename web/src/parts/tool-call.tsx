import type { ShownToolCall } from "../text/tool-call.ts";
import { visibleText } from "../text/visible-text.ts";
import { Diff } from "./diff.tsx";
import { PlainText } from "./rich-text.tsx";

/** A command as a command line, a change of a file as a diff, anything else as its arguments. */
export function ToolCallView({ call }: { readonly call: ShownToolCall }) {
  switch (call.kind) {
    case "command":
      return (
        <pre class="command" tabIndex={0} aria-label="Command">
          {call.folder === undefined ? null : <span class="dim">{visibleText(call.folder)} </span>}
          <span class="prompt-mark" aria-hidden="true">
            ${" "}
          </span>
          <code>{visibleText(call.command)}</code>
        </pre>
      );
    case "change":
      return (
        <>
          {call.path === "" ? null : (
            <p class="diff-file">
              <code>{visibleText(call.path)}</code>
            </p>
          )}
          {call.lines.some(({ kind }) => kind === "added" || kind === "removed") ? null : (
            <p>This changes nothing: the text is the same before and after.</p>
          )}
          <Diff lines={call.lines} label={`Change of ${call.path === "" ? "files" : call.path}`} />
        </>
      );
    case "other":
      return <PlainText text={call.text} />;
  }
}
