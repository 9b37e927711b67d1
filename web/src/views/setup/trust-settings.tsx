import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Badge, Empty, Loaded, Section, Table } from "../../parts/elements.tsx";
import { useOperation } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";
import { useDecision } from "../decisions/use-decision.ts";

/** What the project can do on this machine, and whether the person allowed it. Consent is given in the banner above. */
export function TrustSettings() {
  const shown = useOperation("show-trust", {}, ["agents"]);
  const { deciding, decide } = useDecision();
  return (
    <Section title="What the project may do">
      <Loaded result={shown}>
        {({ kind, abilities, facts, always }) => (
          <>
            <p>
              {kind === "trusted" ? <Badge kind="good">trusted</Badge> : <Badge kind="warn">at rest</Badge>}{" "}
              {always ? "You are not asked again, whatever changes." : "You are asked when it can do more."}
            </p>
            {abilities.length === 0 ? (
              <Empty>It runs no program and reaches no address by itself.</Empty>
            ) : (
              <Table columns={["Who", "Can", "Allowed"]}>
                {abilities.map(({ who, text, seen }) => (
                  <tr key={`${who} ${text}`}>
                    <th scope="row">{visibleText(who)}</th>
                    <td class="wide-cell">{visibleText(text)}</td>
                    <td>{seen ? "yes" : "not yet"}</td>
                  </tr>
                ))}
              </Table>
            )}
            {facts.length === 0 ? null : (
              <ul class="plain-list dim">
                {facts.map((fact) => (
                  <li key={fact}>{visibleText(fact)}</li>
                ))}
              </ul>
            )}
            {kind === "trusted" ? (
              <p class="actions">
                <ConfirmButton
                  label="Take the consent back"
                  disabled={deciding}
                  onConfirm={() => void decide("revoke-trust", {}, "The project rests.")}
                />
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}
