import { useRef } from "preact/hooks";
import type { OperationOutput } from "../../../src/contract/operations.ts";
import { countOf } from "../text/figures.ts";
import { visibleText } from "../text/visible-text.ts";
import { Badge } from "./elements.tsx";

/** A large field for the text of a file. Tab leaves it, as in every field. */
export function TextEditor({
  label,
  text,
  onText,
  rows = 20,
  field,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly rows?: number;
  readonly field?: { current: HTMLTextAreaElement | null };
}) {
  return (
    <textarea
      {...(field === undefined ? {} : { ref: field })}
      class="text-editor"
      aria-label={label}
      value={text}
      rows={rows}
      spellcheck={false}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

export type FileProblem = OperationOutput<"check-definition-file">["problems"][number];

/** The mistakes of a text. Each is a button that puts the cursor at its place. */
export function Problems({
  problems,
  onPlace,
}: {
  readonly problems: readonly FileProblem[] | undefined;
  readonly onPlace: (line: number, column: number) => void;
}) {
  const errors = problems?.filter(({ severity }) => severity === "error").length ?? 0;
  return (
    <div class="problems" role="status" aria-label="What is wrong">
      {problems === undefined ? (
        <span class="dim">Checking…</span>
      ) : problems.length === 0 ? (
        <Badge kind="good">No mistakes</Badge>
      ) : (
        <>
          <Badge kind={errors > 0 ? "bad" : "warn"}>{countOf(problems.length, "problem")}</Badge>
          <ul class="plain-list">
            {problems.map(({ line, column, message, hint }) => (
              <li key={`${line}:${column} ${message}`}>
                <button type="button" class="link" onClick={() => onPlace(line, column)}>
                  Line {line}
                </button>{" "}
                {visibleText(message)} {hint === null ? null : <span class="dim">{visibleText(hint)}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Puts the cursor of a field at a line and column, both from 1. */
export function placeCursor(field: HTMLTextAreaElement | null, line: number, column: number): void {
  if (field === null) return;
  const before = field.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  field.focus();
  field.setSelectionRange(at, at);
}

export function useEditorField() {
  return useRef<HTMLTextAreaElement>(null);
}
