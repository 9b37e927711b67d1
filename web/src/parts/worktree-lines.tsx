import { useState } from "preact/hooks";
import type { WorktreeView } from "../../../src/contract/git/worktrees.ts";
import { useOperation, usePage } from "../state/page-context.ts";
import { patchLines } from "../text/patch-lines.ts";
import { worktreesOf, worktreeText } from "../text/worktree-text.ts";
import { Diff } from "./diff.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { ActionButton, Fold, Loaded } from "./elements.tsx";

/** One line for each branch on which agents changed something in this space: what was changed, and what to do with it. */
export function WorktreeLines({ space }: { readonly space: string }) {
  const listed = useOperation("list-worktrees", {}, ["runs"]);
  if (listed?.ok !== true) return null;
  return (
    <>
      {worktreesOf(listed.value.worktrees, space).map((worktree) => (
        <div key={worktree.target} class="worktree" aria-label="Branch" role="group">
          <Fold summary={<span class="dim">{worktreeText(worktree)}</span>}>
            {() => <Changes worktree={worktree} />}
          </Fold>
        </div>
      ))}
    </>
  );
}

function Changes({ worktree: { target } }: { readonly worktree: WorktreeView }) {
  const { daemon, notify } = usePage();
  const [busy, setBusy] = useState(false);
  const shown = useOperation("show-diff", { target }, ["runs"]);
  const report = (text: string, ok: boolean): void => {
    setBusy(false);
    notify(text, ok ? "good" : "bad");
  };
  const apply = async (): Promise<void> => {
    setBusy(true);
    const result = await daemon.call("apply-worktree", { target });
    if (!result.ok) return report(`${result.error.message} ${result.error.hint ?? ""}`, false);
    const { outcome, conflicts } = result.value;
    if (outcome === "conflicts") {
      const files = conflicts.map(({ path }) => path).join(", ");
      return report(`Both sides changed ${files}. Nothing was taken over.`, false);
    }
    return report(outcome === "nothing" ? "There was nothing to take over." : "The changes are in your branch.", true);
  };
  const discard = async (): Promise<void> => {
    setBusy(true);
    const result = await daemon.call("discard-worktree", { target });
    report(result.ok ? "The branch is removed." : result.error.message, result.ok);
  };
  return (
    <Loaded result={shown}>
      {({ diff, cut }) => (
        <>
          <Diff lines={patchLines(diff)} label="What was changed" />
          {cut ? <p class="dim">Only the beginning is shown.</p> : null}
          <p class="actions">
            <ActionButton label="Take it over" primary disabled={busy} onClick={apply} />
            <ConfirmButton label="Discard" disabled={busy} onConfirm={() => void discard()} />
          </p>
        </>
      )}
    </Loaded>
  );
}
