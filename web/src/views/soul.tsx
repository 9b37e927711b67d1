import type { SoulView } from "../../../src/contract/souls.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Badge, Empty, Evidence, Fold, Link, Loaded, Name, Timestamp } from "../parts/elements.tsx";
import { useOperation } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { changeText } from "../text/soul-text.ts";
import { visibleText } from "../text/visible-text.ts";
import { useDecision } from "./decisions/use-decision.ts";

/** The soul of an agent: its definition with the learned parts marked, and its versions. */
export function Soul({ agent }: { readonly agent: string }) {
  const shown = useOperation("show-soul", { agent }, ["souls", "agents"]);
  return (
    <Loaded result={shown}>
      {(view) => (
        <>
          {view.problem === null ? null : (
            <p class="bad-text">
              What it learned cannot be read, and only its definition counts: {visibleText(view.problem)}
            </p>
          )}
          <Traits soul={view.soul} learned={view.learned} />
          {view.open === 0 ? null : (
            <p>
              <Link to={{ view: "decisions" }}>{countOf(view.open, "change")} to decide</Link>
            </p>
          )}
          {view.edited.length === 0 ? null : (
            <p class="dim">Edited by hand since: {view.edited.map(changeText).join("; ")}</p>
          )}
          {view.version === 0 ? null : (
            <Fold summary={`How it came to this: version ${view.version}`}>
              {() => <Versions agent={agent} current={view.version} />}
            </Fold>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Without `learned`, nothing is marked. */
export function Traits({
  soul,
  learned,
}: {
  readonly soul: Readonly<Record<string, unknown>>;
  readonly learned?: SoulView["learned"];
}) {
  const traits = Object.entries(soul);
  if (traits.length === 0) return <Empty>Its definition gives it no soul.</Empty>;
  return (
    <dl class="facts">
      {traits.map(([trait, value]) => (
        <>
          <dt>{visibleText(trait)}</dt>
          <dd>
            {(Array.isArray(value) ? value : [value]).map((item) => {
              const text = typeof item === "string" ? item : JSON.stringify(item);
              const isLearned = learned?.add[trait]?.includes(text) === true || learned?.replace[trait] === text;
              return (
                <div key={text}>
                  {visibleText(text)} {isLearned ? <Badge kind="good">learned</Badge> : null}
                </div>
              );
            })}
            {learned?.remove[trait]?.map((item) => (
              <div key={item} class="dim">
                <s>{visibleText(item)}</s>
              </div>
            ))}
          </dd>
        </>
      ))}
    </dl>
  );
}

function Versions({ agent, current }: { readonly agent: string; readonly current: number }) {
  const listed = useOperation("list-soul-versions", { agent }, ["souls"]);
  return (
    <Loaded result={listed}>
      {({ versions }) => (
        <ol class="steps">
          {versions.toReversed().map(({ version, at, by, why, evidence, changes }) => (
            <li key={version}>
              <p>
                <strong>Version {version}</strong>{" "}
                <span class="dim">
                  <Timestamp at={at} /> by <Name name={by} />
                </span>{" "}
                {version === current ? null : <RollBack agent={agent} version={version} />}
              </p>
              {changes.map((change) => (
                <p key={changeText(change)}>{changeText(change)}</p>
              ))}
              <p class="dim">{visibleText(why)}</p>
              <Evidence ids={evidence} />
            </li>
          ))}
          <li>
            <p>
              <strong>As defined</strong> <RollBack agent={agent} version={0} />
            </p>
          </li>
        </ol>
      )}
    </Loaded>
  );
}

function RollBack({ agent, version }: { readonly agent: string; readonly version: number }) {
  const { deciding, decide } = useDecision();
  const back = (): Promise<unknown> =>
    decide("roll-back-soul", { agent, version }, `${agent} is as it was in version ${version}.`);
  return <ConfirmButton label="Go back to it" disabled={deciding} onConfirm={() => void back()} />;
}
