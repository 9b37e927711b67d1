import type { FindingView } from "../../../../src/contract/project/setup.ts";
import { Badge, Empty, Fold, Loaded, Section } from "../../parts/elements.tsx";
import { useOperation } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";
import { Demo } from "./demo.tsx";
import { Keys } from "./keys.tsx";
import { NewTeam } from "./new-team.tsx";
import { TrustSettings } from "./trust-settings.tsx";

/** What a project needs to begin: a team, a model, consent; and what is wrong with this machine. */
export function Setup({ onProject }: { readonly onProject: (dir: string) => void }) {
  const setup = useOperation("show-setup", {}, ["agents"]);
  return (
    <div class="view">
      <header class="view-header">
        <h1>Setup</h1>
      </header>
      <Loaded result={setup}>
        {(view) => (
          <>
            <NewTeam setup={view} />
            <Keys providers={view.providers} engines={view.engines} />
          </>
        )}
      </Loaded>
      <Demo onProject={onProject} />
      <TrustSettings />
      <Doctor />
    </div>
  );
}

const KINDS = { ok: "good", fixed: "good", warning: "warn", problem: "bad" } as const;

function Doctor() {
  return (
    <Section title="What the doctor says">
      <Fold summary="Look at this machine, the daemon and the project">{() => <Findings />}</Fold>
    </Section>
  );
}

function Findings() {
  const listed = useOperation("list-findings", {});
  return (
    <Loaded result={listed}>
      {({ findings }) =>
        findings.length === 0 ? (
          <Empty>Nothing was looked at.</Empty>
        ) : (
          <ul class="plain-list findings">
            {findings.map((finding) => (
              <Finding key={`${finding.check} ${finding.message}`} finding={finding} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Finding({ finding: { check, state, message, next } }: { readonly finding: FindingView }) {
  return (
    <li>
      <Badge kind={KINDS[state]}>{state}</Badge> <strong>{visibleText(check)}</strong> {visibleText(message)}{" "}
      {next === null ? null : <span class="dim">{visibleText(next)}</span>}
    </li>
  );
}
