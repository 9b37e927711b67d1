import { useState } from "preact/hooks";
import { useOperation } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";
import { Loaded } from "./elements.tsx";

/** The whole prompt of a run. It is long, so it is read when somebody opens it. */
export function RunPrompt({ run }: { readonly run: string }) {
  // Beside the receipt there is room for it.
  const [open, setOpen] = useState(() => matchMedia("(min-width: 1100px)").matches);
  return (
    <details class="run-prompt" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The whole prompt</summary>
      {open ? <PromptTexts run={run} /> : null}
    </details>
  );
}

function PromptTexts({ run }: { readonly run: string }) {
  const shown = useOperation("show-prompt", { id: run });
  return (
    <Loaded result={shown}>
      {({ system, prompt, tools, tokens }) => (
        <>
          <p class="dim">System text, about {tokens.system.toLocaleString("en")} tokens</p>
          <pre class="plain" tabIndex={0} aria-label="System text">
            {visibleText(system)}
          </pre>
          <p class="dim">Prompt, about {tokens.prompt.toLocaleString("en")} tokens</p>
          <pre class="plain" tabIndex={0} aria-label="Prompt">
            {visibleText(prompt)}
          </pre>
          <p class="dim">Tools, about {tokens.tools.toLocaleString("en")} tokens</p>
          <pre class="plain" tabIndex={0} aria-label="Tools">
            {visibleText(
              tools
                .map(({ name, description, inputSchema }) => `${name}: ${description}\n${JSON.stringify(inputSchema)}`)
                .join("\n\n"),
            )}
          </pre>
        </>
      )}
    </Loaded>
  );
}
