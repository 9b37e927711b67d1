import type { WaitingRun } from "../../../src/contract/runs.ts";
import { noticeText } from "../text/notice-text.ts";
import { lineOf } from "../text/tool-call.ts";
import { visibleText } from "../text/visible-text.ts";
import { waitText } from "../text/wait-text.ts";
import { Link, Name, SpaceLink } from "./elements.tsx";

/** Runs that wait: who, where, for what, until when, why, and what to do. */
export function Waits({ waits }: { readonly waits: readonly WaitingRun[] }) {
  return (
    <ul class="plain-list">
      {waits.map((wait) => (
        <li key={wait.run}>
          <Link to={{ view: "run", run: wait.run }}>
            <Name name={wait.agent} />
          </Link>{" "}
          <span class="dim">in</span> <SpaceLink space={wait.space} /> {waitText(wait)}:{" "}
          {wait.approval === null ? visibleText(wait.reason) : <AskedCall reason={wait.reason} />}
          <br />
          {wait.approval === null ? (
            <span class="dim">{visibleText(noticeText(wait.next))}</span>
          ) : (
            <Link to={{ view: "decisions" }}>Decide</Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `reason` is the tool and its arguments. */
function AskedCall({ reason }: { readonly reason: string }) {
  const [tool = "", ...args] = reason.split(" ");
  return (
    <>
      <code>{visibleText(tool)}</code> <code>{visibleText(lineOf(args.join(" ")))}</code>
    </>
  );
}
