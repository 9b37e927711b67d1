import { useState } from "preact/hooks";
import type { RunDetailView } from "../../../src/contract/runs.ts";
import type { Answer } from "../connection/daemon.ts";
import { usePage } from "../state/page-context.ts";
import { costText, countOf } from "../text/figures.ts";
import { duration } from "../text/moment.ts";
import { Answered, Go, Nothing } from "./parts.tsx";
import { ToolCalls } from "./tool-calls.tsx";

/** The run behind a message: asked for when somebody unfolds it. */
export function RunCalls({ run }: { readonly run: string }) {
  const { daemon } = usePage();
  const [answer, setAnswer] = useState<Answer<RunDetailView>>();
  const look = async (open: boolean): Promise<void> => {
    if (open) setAnswer(await daemon.ask("show-run", { id: run }));
  };
  return (
    <details class="run-calls" onToggle={(event) => void look(event.currentTarget.open)}>
      <summary>how</summary>
      <Answered answer={answer}>
        {({ steps, usage }) => {
          const calls = steps.flatMap((step) => step.calls);
          return (
            <>
              <p class="dim">
                <Go to={{ view: "run", run }}>{countOf(steps.length, "step")}</Go>, {duration(usage.wallTimeMs)},{" "}
                {costText(usage.cost)}
              </p>
              {calls.length === 0 ? <Nothing>It called no tools.</Nothing> : <ToolCalls calls={calls} />}
            </>
          );
        }}
      </Answered>
    </details>
  );
}
