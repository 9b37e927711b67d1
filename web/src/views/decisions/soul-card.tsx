import { useState } from "preact/hooks";
import type { SoulProposalView } from "../../../../src/contract/souls.ts";
import {
  ActionButton,
  Badge,
  Evidence,
  Link,
  Name,
  RunLink,
  SpaceLink,
  Timestamp,
  UntrustedBadge,
} from "../../parts/elements.tsx";
import { changeText } from "../../text/soul-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

/** A proposed change of a soul, with everything a person should know before it becomes part of every prompt. */
export function SoulCard({ proposal, ...card }: CardContext & { readonly proposal: SoulProposalView }) {
  const { id, agent, source, author, observation, change, risk, evidence, space, run, outside, times, at } = proposal;
  const [reason, setReason] = useState("");
  const { deciding, decide } = useDecision(card.onOutcome);
  const [version, setVersion] = useState<number>();
  const input = { id, ...withReason(reason) };
  const approve = async (): Promise<void> => {
    const approved = await decide("approve-soul", input, `The soul of ${agent} has a new version.`);
    setVersion(approved?.version ?? undefined);
  };
  return (
    <DecisionCard
      label={`A change of the soul of ${agent}`}
      decision={card.decision}
      undo={
        version === undefined ? null : (
          <ActionButton
            label="Undo"
            disabled={deciding}
            onClick={async () => {
              const back = { agent, version: version - 1 };
              if (await decide("roll-back-soul", back, `The soul of ${agent} is as it was before.`))
                setVersion(undefined);
            }}
          />
        )
      }
      actions={
        <>
          <ActionButton label="Approve" primary disabled={deciding} onClick={approve} />
          <ActionButton
            label="Reject"
            disabled={deciding}
            onClick={() => decide("reject-soul", input, `${agent} stays as it is.`)}
          />
          <ReasonField label="Reason, kept with the decision" value={reason} onChange={setReason} />
        </>
      }
    >
      <p>
        <Name name={source === "observation" ? "guard" : author} /> suggests for{" "}
        <Link to={{ view: "agent", agent }}>{source === "agent" ? "itself" : <Name name={agent} />}</Link>
        {space === null ? null : (
          <>
            {" "}
            in <SpaceLink space={space} />
          </>
        )}{" "}
        <span class="dim">
          <Timestamp at={at} />
          {times > 1 ? `, ${times} times` : ""}
          <RunLink run={run} />
        </span>
      </p>
      <p>
        <strong>{changeText(change)}</strong> <Badge kind={risk === "small" ? "" : "warn"}>{risk}</Badge>{" "}
        {outside ? <UntrustedBadge /> : null}
      </p>
      <p>{visibleText(observation)}</p>
      <Evidence ids={evidence} />
    </DecisionCard>
  );
}
