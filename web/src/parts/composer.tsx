import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import type { UnsentMessage } from "../state/unsent-messages.ts";
import { complete, completionAt, type Completion } from "../text/mention-completion.ts";

/** The field for a new message. The text stays when sending fails; sending it again cannot post it twice. */
export interface ComposerProps {
  /** `alice`, or `@review`. */
  readonly target: string;
  /** The agents that can be mentioned. */
  readonly names: readonly string[];
  readonly placeholder: string;
}

/** Returns the unsent message of a target. The component renders again when it changes, also by an earlier component. */
function useUnsent(target: string): UnsentMessage {
  const { unsent } = usePage();
  const [, render] = useState(0);
  // A layout effect: a text that is written at once must not be missed.
  useLayoutEffect(() => unsent.subscribe(() => render((count) => count + 1)), [unsent]);
  return unsent.get(target);
}

export function Composer({ target, names, placeholder }: ComposerProps) {
  const { daemon, notify, unsent } = usePage();
  const { text, to, sending, status } = useUnsent(target);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  /** The caret position after a completion. It must be set before the next key is pressed. */
  const caretAt = useRef<number>(undefined);
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "auto";
    current.style.height = `${Math.min(current.scrollHeight + 2, MAX_HEIGHT)}px`;
    if (caretAt.current !== undefined) current.setSelectionRange(caretAt.current, caretAt.current);
    caretAt.current = undefined;
  }, [text]);

  const write = (next: string, caret: number): void => {
    unsent.change(target, { text: next, idempotencyKey: undefined, status: "" });
    setCompletion(completionAt(next, caret, ["all", ...names]));
    setChosen(0);
  };
  const insert = (name: string): void => {
    const { current } = field;
    if (completion === undefined || current === null) return;
    const edited = complete(text, current.selectionStart, completion, name);
    write(edited.text, edited.caret);
    caretAt.current = edited.caret;
    setCompletion(undefined);
  };
  const send = async (): Promise<void> => {
    // What is written now: the page may not have been drawn again since the last key.
    const { text: written, sending: isSending } = unsent.get(target);
    if (written.trim() === "" || isSending) return;
    const idempotencyKey = unsent.get(target).idempotencyKey ?? crypto.randomUUID();
    unsent.change(target, { sending: true, idempotencyKey });
    const address = to === "" ? target : `${to}${target}`;
    const receipt = await daemon.call("send-message", { to: address, message: written, idempotencyKey });
    // The person may have gone on to another space or project, or have changed the text.
    const changed = unsent.get(target).idempotencyKey !== idempotencyKey;
    unsent.change(target, { sending: false });
    field.current?.focus();
    if (!receipt.ok) {
      unsent.change(target, { status: "Not sent." });
      return notify(`${receipt.error.message} ${receipt.error.hint ?? ""}`, "bad");
    }
    for (const warning of receipt.value.warnings) notify(warning, "bad");
    if (!changed) write("", 0);
    const { recipients } = receipt.value;
    unsent.change(target, {
      status:
        recipients.length === 0
          ? "Said. Nobody is mentioned, so nobody is woken."
          : `Sent: ${recipients.map(({ agent, lane }) => `${agent} (${lane})`).join(", ")}`,
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (completion !== undefined && move !== undefined) {
      event.preventDefault();
      setChosen((chosen + move + completion.names.length) % completion.names.length);
    } else if (completion !== undefined && (event.key === "Tab" || (event.key === "Enter" && !hasModifier(event)))) {
      event.preventDefault();
      insert(completion.names[chosen] ?? "");
    } else if (event.key === "Escape" && completion !== undefined) {
      event.stopPropagation();
      setCompletion(undefined);
    } else if (event.key === "Enter" && hasModifier(event)) {
      event.preventDefault();
      void send();
    }
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {completion === undefined ? null : (
        <ul class="completion" id="mention-names" role="listbox" aria-label="Whom to mention">
          {completion.names.map((name, at) => (
            <li
              key={name}
              id={`mention-${at}`}
              role="option"
              aria-selected={at === chosen}
              onMouseDown={(event) => {
                event.preventDefault();
                insert(name);
              }}
            >
              @{name}
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        id="composer"
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-autocomplete="list"
        {...(completion === undefined
          ? {}
          : { "aria-controls": "mention-names", "aria-activedescendant": `mention-${chosen}` })}
        onInput={(event) => write(event.currentTarget.value, event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setCompletion(undefined)}
      />
      <div class="composer-foot">
        {target.startsWith("@") && names.length > 0 ? (
          <label class="dim">
            to{" "}
            <select value={to} onChange={(event) => unsent.change(target, { to: event.currentTarget.value })}>
              <option value="">the channel</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name} alone
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span />
        )}
        <span class="dim sent" role="status">
          {status}
        </span>
        <span class="dim keys">
          <kbd>{APPLE ? "⌘" : "Ctrl"}</kbd> <kbd>Enter</kbd>
        </span>
        <button type="submit" class="button primary" disabled={sending || text.trim() === ""}>
          {sending ? "Sending…" : "Send"}
        </button>
      </div>
    </form>
  );
}

const MAX_HEIGHT = 240;
const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

function hasModifier({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}
