import { useMemo } from "preact/hooks";
import type { ApprovalView } from "../../../../src/contract/approvals.ts";
import type { MessageView } from "../../../../src/contract/messages.ts";
import { Badge, Name, RunLink, Timestamp } from "../../parts/elements.tsx";
import { ToolCallView } from "../../parts/tool-call.tsx";
import { useOperation } from "../../state/page-context.ts";
import { announcedApproval } from "../../text/notice-text.ts";
import { shownToolCall } from "../../text/tool-call.ts";
import { visibleText } from "../../text/visible-text.ts";

/** Returns the decided approvals of a space by the id of the notice that asked for them. */
export function useDecidedApprovals(
  space: string,
  messages: readonly MessageView[],
): ReadonlyMap<string, ApprovalView> {
  const listed = useOperation("list-approvals", { target: space, state: "all", limit: 500 }, ["approvals"]);
  const approvals = listed?.ok === true ? listed.value.approvals : undefined;
  return useMemo(() => {
    const byId = new Map((approvals ?? []).map((approval) => [approval.id, approval]));
    return new Map(
      messages.flatMap(({ id, kind, content }): [string, ApprovalView][] => {
        const asked = kind === "notice" ? byId.get(announcedApproval(content) ?? "") : undefined;
        return asked === undefined || asked.state === "pending" ? [] : [[id, asked]];
      }),
    );
  }, [approvals, messages]);
}

/** A tool call that was decided earlier: in the place where it was asked for. */
export function DecidedApproval({ approval }: { readonly approval: ApprovalView }) {
  const { agent, tool, args, run, state, reason, decidedBy, decidedAt } = approval;
  return (
    <article class="card decided" aria-label={`${agent} wanted to call ${tool}: ${state}`}>
      <p>
        <Name name={agent} /> wanted to call <code>{visibleText(tool)}</code>{" "}
        <Badge kind={state === "approved" ? "good" : "bad"}>{state}</Badge>{" "}
        <span class="dim">
          {decidedBy === "user" ? "by you" : "because nobody needs it any more"}{" "}
          {decidedAt === null ? null : <Timestamp at={decidedAt} />}
          <RunLink run={run} />
        </span>
      </p>
      <ToolCallView call={shownToolCall(args)} />
      {reason === null ? null : <p class="dim">{visibleText(reason)}</p>}
    </article>
  );
}
