import type { RuleView } from "../../../src/contract/rules.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Badge, Empty, Loaded, Name, Timestamp } from "../parts/elements.tsx";
import { PlainText } from "../parts/rich-text.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useOperation } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { conditionText } from "../text/rule-text.ts";
import { visibleText } from "../text/visible-text.ts";
import { NewRule } from "./new-rule.tsx";
import { useDecision } from "./decisions/use-decision.ts";

/** The rules of a workspace, with their authors and how often they fired. */
export function Rules({ space }: { readonly space: string }) {
  const listed = useOperation("list-rules", { target: space }, ["rules", "messages"]);
  return (
    <div class="view">
      <SpaceHeader space={space} view="rules" />
      <Loaded result={listed}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Empty>Nothing happens here by itself.</Empty>
          ) : (
            rules.map((rule) => <Rule key={rule.id} rule={rule} />)
          )
        }
      </Loaded>
      <NewRule space={space} />
    </div>
  );
}

function Rule({ rule }: { readonly rule: RuleView }) {
  const { id, space, name, author, when, then, total, resting, lastFiredAt, lastRefusal } = rule;
  const { deciding, decide } = useDecision();
  const { message, to, ...rest } = then.data;
  const says = then.propose === "send-message" && typeof message === "string" && Object.keys(rest).length === 0;
  return (
    <article class="card" aria-label={name}>
      <p>
        <strong>{visibleText(name)}</strong> {resting ? <Badge kind="warn">rests until you write here</Badge> : null}{" "}
        <span class="dim">
          by <Name name={author} />, acted {countOf(total, "time")}
          {lastFiredAt === null ? null : (
            <>
              , last at <Timestamp at={lastFiredAt} />
            </>
          )}
        </span>
      </p>
      <p>
        When {conditionText(when)}, {says ? `say${typeof to === "string" ? ` to ${visibleText(to)}` : ""}:` : ""}
        {says ? null : (
          <>
            propose <code>{visibleText(then.propose)}</code>:
          </>
        )}
      </p>
      <PlainText text={says ? message : JSON.stringify(then.data, null, 2)} />
      {lastRefusal === null ? null : <p class="bad-text">Refused last time: {visibleText(lastRefusal)}</p>}
      <p class="actions">
        <ConfirmButton
          label="Remove"
          disabled={deciding}
          onConfirm={() => void decide("remove-rule", { id, target: space }, `${name} does nothing any more.`)}
        />
      </p>
    </article>
  );
}
