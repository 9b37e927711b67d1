import { useEffect, useRef, useState } from "preact/hooks";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import type { ReachedLimit } from "../../../../src/contract/text/reached-limit.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { usePage } from "../../state/page-context.ts";
import { draftRaised, raisedValue, unitOf, usedOf, type RaisedLimit } from "../../state/raised-limit.ts";
import { Diff } from "../diff.tsx";
import { ActionButton, ErrorBox, Link } from "../elements.tsx";

/**
 * Raises the limit that stopped the work: a number to change, the change of the file that sets it, and one button that
 * writes it and lets the work go on. The file is written by the same operation as any other edit.
 */
export function RaiseLimit({
  limit,
  agent,
  space,
  onRaised,
  onBack,
}: {
  readonly limit: ReachedLimit;
  readonly agent: string;
  readonly space: string;
  /** The file is written: the work can go on. */
  readonly onRaised: (words: string) => Promise<unknown>;
  readonly onBack: () => void;
}) {
  const { daemon, notify } = usePage();
  const [value, setValue] = useState(() => raisedValue(limit));
  const [used, setUsed] = useState<number>();
  const isTyped = useRef(false);
  useEffect(() => {
    const today = new Date().toISOString().slice(0, 10);
    void usedOf(daemon, limit, { agent, space }, today).then((known) => {
      setUsed(known);
      if (known !== undefined && !isTyped.current) setValue(raisedValue(limit, known));
    });
  }, []);
  const [draft, setDraft] = useState<RaisedLimit>();
  const [error, setError] = useState<DaemonError>();
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const drafted = await draftRaised(daemon, limit, { agent, space }, value);
      if (!isCurrent) return;
      setDraft(drafted.ok ? drafted.value : undefined);
      setError(drafted.ok ? undefined : drafted.error);
    };
    void load();
    return () => void (isCurrent = false);
  }, [value]);
  const save = async (): Promise<void> => {
    if (draft === undefined) return;
    setSaving(true);
    const { file, after, revision } = draft;
    const written = await daemon.call("write-definition-file", { file, text: after, revision });
    setSaving(false);
    if (!written.ok) return setError(written.error);
    const words = `${value} ${unitOf(limit)}`;
    notify(`The limit is ${words} now, in ${file}.`);
    await onRaised(words);
  };
  const workflow = /^@([^:/~]+)/.exec(space)?.[1];
  const isTooLow = used !== undefined && Number(value) <= used;
  const isRaised = draft !== undefined && draft.before !== draft.after && !isTooLow;
  return (
    <form
      class="raise-limit"
      aria-label="Raise the limit"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRaised && !saving) void save();
      }}
    >
      <label>
        New limit{" "}
        <input
          class="short"
          value={value}
          inputMode={limit.name === "time" ? "text" : "decimal"}
          required
          onInput={(event) => {
            isTyped.current = true;
            setValue(event.currentTarget.value);
          }}
        />{" "}
        {unitOf(limit)}
      </label>
      {used === undefined ? null : (
        <p class={isTooLow ? "warn-text" : "dim"} role="status">
          Used {limit.of === "agent" ? "today" : "so far"}: {usedText(used)} {unitOf(limit)}.
          {isTooLow ? " The new limit must be higher." : ""}
        </p>
      )}
      {draft === undefined ? null : (
        <Diff lines={lineDiff(draft.before, draft.after)} label={`Change of ${draft.file}`} />
      )}
      {error === undefined ? null : (
        <>
          <ErrorBox error={error} />
          {error.code === "not_found" ? (
            <p>
              <Link to={{ view: "files", file: workflow === undefined ? undefined : `.workflows/${workflow}.yaml` }}>
                Change it in the file
              </Link>
            </p>
          ) : null}
        </>
      )}
      <p class="actions">
        <ActionButton label="Write it and go on" primary disabled={saving || !isRaised} onClick={() => void save()} />
        <ActionButton label="Back" disabled={saving} onClick={onBack} />
      </p>
    </form>
  );
}

function usedText(used: number): string {
  return Number.isInteger(used) ? String(used) : used.toFixed(2);
}
