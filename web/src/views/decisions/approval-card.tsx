import { useState } from "preact/hooks";
import type { ApprovalView } from "../../../../src/contract/approvals.ts";
import { ActionButton, Name, RunLink, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { PlainText } from "../../parts/rich-text.tsx";
import { pretty } from "../../parts/tool-calls.tsx";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

export function ApprovalCard({ approval, ...card }: CardContext & { readonly approval: ApprovalView }) {
  const { id, agent, space, tool, args, run, requestedAt } = approval;
  const [reason, setReason] = useState("");
  const { deciding, decide } = useDecision(card.onOutcome);
  const input = { id, target: space, ...withReason(reason) };
  return (
    <DecisionCard
      label={`${agent} wants to call ${tool}`}
      decision={card.decision}
      actions={
        <>
          <ActionButton
            label="Approve"
            primary
            disabled={deciding}
            onClick={() => decide("approve", input, `${agent} may call ${tool}.`)}
          />
          <ActionButton
            label="Deny"
            disabled={deciding}
            onClick={() => decide("deny", input, `${agent} may not call ${tool}.`)}
          />
          <ReasonField label="Reason, told to the agent" value={reason} onChange={setReason} />
        </>
      }
    >
      <p>
        <Name name={agent} /> wants to call <code>{visibleText(tool)}</code> in <SpaceLink space={space} />{" "}
        <span class="dim">
          <Timestamp at={requestedAt} />
          <RunLink run={run} />
        </span>
      </p>
      <PlainText text={pretty(args)} />
    </DecisionCard>
  );
}
