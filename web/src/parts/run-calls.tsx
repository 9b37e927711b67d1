import { useState } from "preact/hooks";
import type { RunDetailView } from "../../../src/contract/runs.ts";
import type { DaemonResult } from "../connection/daemon.ts";
import { answeredCalls } from "../state/runs/answered-calls.ts";
import { usePage } from "../state/page-context.ts";
import { costText, countOf } from "../text/figures.ts";
import { duration } from "../text/time.ts";
import { Empty, Link, Loaded } from "./elements.tsx";
import { ToolCalls } from "./tool-calls.tsx";

/** The run of a message, loaded when it is unfolded. */
export function RunCalls({ run }: { readonly run: string }) {
  const { daemon } = usePage();
  const [result, setResult] = useState<DaemonResult<RunDetailView>>();
  const load = async (open: boolean): Promise<void> => {
    if (open) setResult(await daemon.call("show-run", { id: run }));
  };
  return (
    <details class="run-calls" onToggle={(event) => void load(event.currentTarget.open)}>
      <summary>how</summary>
      <Loaded result={result}>
        {({ steps, usage, state }) => {
          const all = [...answeredCalls(steps).values()].flat();
          // What waited is listed once, with its answer.
          const calls = all.filter(({ answeredIn }) => answeredIn === undefined);
          return (
            <>
              <p class="dim">
                <Link to={{ view: "run", run }}>{countOf(steps.length, "step")}</Link>, {duration(usage.wallTimeMs)},{" "}
                {costText(usage.cost)}
              </p>
              {calls.length === 0 ? (
                <Empty>It called no tools.</Empty>
              ) : (
                <ToolCalls calls={calls} isOver={state === "ended"} />
              )}
            </>
          );
        }}
      </Loaded>
    </details>
  );
}
