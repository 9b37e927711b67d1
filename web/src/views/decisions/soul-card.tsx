import { useState } from "preact/hooks";
import type { SoulProposalView } from "../../../../src/contract/souls.ts";
import { changeText } from "../../text/soul-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import { Badge, Evidence, Go, Moment, Name, OutsideMark, RunLink, SpaceLink } from "../../parts/parts.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

/** A change of what an agent is: everything a person should know before it becomes part of every prompt. */
export function SoulCard({ proposal }: { readonly proposal: SoulProposalView }) {
  const { id, agent, source, author, observation, change, risk, evidence, space, run, outside, times, at } = proposal;
  const [reason, setReason] = useState("");
  const { deciding, decide } = useDecision();
  const input = { id, ...withReason(reason) };
  return (
    <article class="card" aria-label={`A change of the soul of ${agent}`}>
      <p>
        <Name name={source === "observation" ? "guard" : author} /> suggests for{" "}
        <Go to={{ view: "agent", agent }}>{source === "agent" ? "itself" : <Name name={agent} />}</Go>
        {space === null ? null : (
          <>
            {" "}
            in <SpaceLink space={space} />
          </>
        )}{" "}
        <span class="dim">
          <Moment at={at} />
          {times > 1 ? `, ${times} times` : ""}
          <RunLink run={run} />
        </span>
      </p>
      <p>
        <strong>{changeText(change)}</strong> <Badge kind={risk === "small" ? "" : "warn"}>{risk}</Badge>{" "}
        {outside ? <OutsideMark /> : null}
      </p>
      <p>{visibleText(observation)}</p>
      <Evidence ids={evidence} />
      <p class="actions">
        <button
          type="button"
          class="button primary"
          disabled={deciding}
          onClick={() => void decide("approve-soul", input, `The soul of ${agent} has a new version.`)}
        >
          Approve
        </button>
        <button
          type="button"
          class="button"
          disabled={deciding}
          onClick={() => void decide("reject-soul", input, `${agent} stays as it is.`)}
        >
          Reject
        </button>
        <ReasonField label="Reason, kept with the decision" value={reason} onChange={setReason} />
      </p>
    </article>
  );
}
