/** A key that was pressed, or a text that was typed or pasted. */
export type KeyEvent =
  | { readonly kind: "text"; readonly text: string; readonly pasted?: true }
  | {
      readonly kind: "key";
      readonly name: string;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly shift: boolean;
    };

/** What Node's reader of keys reports. */
export interface KeyPress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

/** Ends of lines that terminals send for Shift-Enter or Alt-Enter. */
const NEW_LINE: ReadonlySet<string> = new Set(["\u001b[13;2u", "\u001b[27;2;13~", "\u001b\r", "\u001b\n", "\n"]);

/** Returns a function that turns what Node reports into keys. A pasted text is one key, whatever is in it. */
export function readKeys(): (text: string | undefined, press: KeyPress) => KeyEvent | undefined {
  let pasted: string | undefined;
  return (text, press) => {
    const { name, sequence = "" } = press;
    if (name === "paste-start") {
      pasted = "";
      return undefined;
    }
    if (name === "paste-end") {
      const whole = (pasted ?? "").replaceAll("\r\n", "\n").replaceAll("\r", "\n");
      pasted = undefined;
      return whole === "" ? undefined : { kind: "text", text: whole, pasted: true };
    }
    if (pasted !== undefined) {
      pasted += sequence;
      return undefined;
    }
    if (NEW_LINE.has(sequence)) return named("newline", press);
    // Node cannot tell it from the beginning of an Alt key.
    if (name === "escape") return named(name, {});
    const isText = text !== undefined && press.ctrl !== true && press.meta !== true && !/[\p{Cc}]/u.test(text);
    if (isText && text !== "") return { kind: "text", text };
    return name === undefined ? undefined : named(name, press);
  };
}

function named(name: string, { ctrl, meta, shift }: KeyPress): KeyEvent {
  return { kind: "key", name, ctrl: ctrl === true, alt: meta === true, shift: shift === true };
}
