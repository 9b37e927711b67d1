import type { MemoryChangeView } from "../../../src/contract/personal/memory-changes.ts";
import { ActionButton, Badge, Timestamp } from "../parts/elements.tsx";
import { useOperation } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";
import { useDecision } from "./decisions/use-decision.ts";

/** What the guard did when it tidied up the memory of an agent, each with a button that takes it back. */
export function MemoryChanges({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-memory-changes", { agent, limit: 50 }, ["personal"]);
  if (listed?.ok !== true || listed.value.changes.length === 0) return null;
  return (
    <details>
      <summary>What was tidied up</summary>
      <ul class="plain-list">
        {listed.value.changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
    </details>
  );
}

function Change({ change }: { readonly change: MemoryChangeView }) {
  const { id, state, reason, at } = change;
  const { deciding, decide } = useDecision();
  return (
    <li>
      <span class="dim">
        <Timestamp at={at} />
      </span>{" "}
      {whatText(change)}: {visibleText(reason)}{" "}
      {state === "done" ? (
        <ActionButton
          label="Undo"
          disabled={deciding}
          onClick={() => decide("undo-memory-change", { id }, "Undone.")}
        />
      ) : (
        <Badge kind={state === "open" ? "warn" : ""}>{state}</Badge>
      )}
    </li>
  );
}

function whatText({ kind, subject, note }: MemoryChangeView): string {
  switch (kind) {
    case "note":
      return `Noted in ${visibleText(note ?? subject)}`;
    case "merged":
      return `${visibleText(subject)} was set aside`;
    case "promoted":
      return `${visibleText(subject)} was taken out of the archive`;
    case "question":
      return "A question for you";
  }
}
