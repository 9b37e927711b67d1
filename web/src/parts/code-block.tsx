import { useMemo, useState } from "preact/hooks";
import { ansiParts, hasAnsi } from "../text/ansi.ts";
import { highlight } from "../text/highlight.ts";
import { patchLines } from "../text/patch-lines.ts";
import { visibleText } from "../text/visible-text.ts";
import { Diff } from "./diff.tsx";

const DIFF_LANGUAGES: ReadonlySet<string> = new Set(["diff", "patch"]);

/** Program text with colours, and a button that copies it. */
export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  const parts = useMemo(() => highlight(text, language), [text, language]);
  return (
    <div class="code-frame">
      {DIFF_LANGUAGES.has(language) ? (
        <Diff lines={patchLines(text)} label="Change" />
      ) : (
        <pre class="code" tabIndex={0} aria-label={language === "" ? "Code" : `Code, ${language}`}>
          <code>
            {parts.map(({ kind, text: part }) => (kind === "text" ? part : <span class={`code-${kind}`}>{part}</span>))}
          </code>
        </pre>
      )}
      {language === "" || DIFF_LANGUAGES.has(language) ? null : (
        <span class="code-language" aria-hidden="true">
          {visibleText(language)}
        </span>
      )}
      <CopyButton text={text} />
    </div>
  );
}

/** The output of a program, with the colours of its terminal. */
export function OutputText({ text }: { readonly text: string }) {
  if (!hasAnsi(text))
    return (
      <pre class="plain" tabIndex={0}>
        {visibleText(text)}
      </pre>
    );
  return (
    <pre class="plain" tabIndex={0}>
      {ansiParts(text).map(({ text: part, colour, bold }) => (
        <span class={`${colour === undefined ? "" : `ansi-${colour}`} ${bold ? "ansi-bold" : ""}`}>
          {visibleText(part)}
        </span>
      ))}
    </pre>
  );
}

const COPIED_MS = 2000;

function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    setState(copied ? "copied" : "failed");
    setTimeout(() => setState("ready"), COPIED_MS);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {state === "ready" ? "Copy" : state === "copied" ? "Copied" : "Not copied"}
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
