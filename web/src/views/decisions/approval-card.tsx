import { useState } from "preact/hooks";
import type { AllowRuleView, ApprovalView } from "../../../../src/contract/approvals.ts";
import { Diff } from "../../parts/diff.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { ActionButton, Name, RunLink, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { ToolCallView } from "../../parts/tool-call.tsx";
import { usePage } from "../../state/page-context.ts";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import { isDangerous, shownToolCall } from "../../text/tool-call.ts";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

export function ApprovalCard({ approval, ...card }: CardContext & { readonly approval: ApprovalView }) {
  const { id, agent, space, tool, args, run, requestedAt } = approval;
  const { daemon, notify } = usePage();
  const [reason, setReason] = useState("");
  const [rule, setRule] = useState<AllowRuleView>();
  const { deciding, decide } = useDecision(card.onOutcome);
  const call = shownToolCall(args);
  const what =
    call.kind === "command"
      ? "run the command"
      : call.kind === "change"
        ? `change ${call.path === "" ? "the files" : call.path}`
        : `call ${tool}`;
  const input = { id, target: space };
  const approve = () => decide("approve", input, `${agent} may ${what}.`);
  const showRule = async (): Promise<void> => {
    const shown = await daemon.call("preview-allow-rule", { id });
    if (shown.ok) setRule(shown.value);
    else notify(`${shown.error.message} ${shown.error.hint ?? ""}`, "bad");
  };
  const isOpen = card.decision.outcome === undefined;
  const isRisky = isDangerous(call);
  return (
    <DecisionCard
      label={`${agent} wants to call ${tool}`}
      decision={card.decision}
      actions={
        rule === undefined ? (
          <>
            {isRisky ? (
              <ConfirmButton label="Approve" prominent disabled={deciding} onConfirm={() => void approve()} />
            ) : (
              <ActionButton label="Approve" primary disabled={deciding} onClick={approve} />
            )}
            <ActionButton
              label="Deny"
              disabled={deciding}
              onClick={() => decide("deny", { ...input, ...withReason(reason) }, `${agent} may not ${what}.`)}
            />
            {isRisky ? null : (
              <>
                <ActionButton
                  label="For this run"
                  title="The same command, or the same file, is not asked about again until this run ends."
                  disabled={deciding}
                  onClick={() =>
                    decide("approve", { ...input, scope: "run" }, `${agent} may do this until its run ends.`)
                  }
                />
                <ActionButton
                  label="Always…"
                  title="Adds a rule to the file of the agent. You see it first."
                  disabled={deciding}
                  onClick={() => void showRule()}
                />
              </>
            )}
            <ReasonField label="Reason, told to the agent" value={reason} onChange={setReason} />
          </>
        ) : (
          <>
            <ActionButton
              label="Add the rule and approve"
              primary
              disabled={deciding}
              onClick={() =>
                decide("approve", { ...input, scope: "always" }, `${agent} may always do this: see ${rule.file}.`)
              }
            />
            <ActionButton label="Back" disabled={deciding} onClick={() => setRule(undefined)} />
          </>
        )
      }
    >
      <p>
        <Name name={agent} /> wants to {VERBS[call.kind]}
        {call.kind === "other" ? <code>{visibleText(tool)}</code> : null} in <SpaceLink space={space} />{" "}
        <span class="dim">
          <Timestamp at={requestedAt} />
          <RunLink run={run} />
        </span>
      </p>
      <ToolCallView call={call} />
      {isRisky && isOpen ? (
        <p class="warn-text">This may delete something, publish something or need more rights. You are asked twice.</p>
      ) : null}
      {rule === undefined || !isOpen ? null : (
        <>
          <p>
            This is added to <code>{visibleText(rule.file)}</code>:
          </p>
          <Diff lines={lineDiff(rule.before, rule.after)} label={`Change of ${rule.file}`} />
        </>
      )}
    </DecisionCard>
  );
}

const VERBS = { command: "run a command", change: "change a file", other: "call " } as const;
