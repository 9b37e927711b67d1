import type { MemoryEntryView } from "../../../src/contract/memory.ts";
import {
  Empty,
  Fold,
  Loaded,
  Name,
  RunLink,
  Section,
  SpaceLink,
  Table,
  Timestamp,
  UntrustedBadge,
} from "../parts/elements.tsx";
import { useOperation } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { visibleText } from "../text/visible-text.ts";
import { MemoryActions, MemoryForm } from "./memory-form.tsx";
import { MemoryChanges } from "./memory-changes.tsx";

/** The memory of an agent, the origin of each entry, and the questions of other agents. */
export function Memory({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-memory", { agent }, ["personal"]);
  return (
    <Section title="Memory">
      <Loaded result={listed}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>It remembers nothing yet.</Empty>
          ) : (
            <Table columns={["What", "Content, and where it comes from"]}>
              {entries.map((entry) => (
                <Entry key={`${entry.file} ${entry.key}`} agent={agent} entry={entry} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <Fold summary="Let it remember something">{() => <MemoryForm agent={agent} />}</Fold>
      <MemoryChanges agent={agent} />
      <Questions agent={agent} />
    </Section>
  );
}

function Entry({ agent, entry }: { readonly agent: string; readonly entry: MemoryEntryView }) {
  const { key, value, tier, visibility, sharedWith, source, outside, origin } = entry;
  return (
    <tr>
      <th scope="row">{visibleText(key)}</th>
      <td class="wide-cell">
        {visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 1))}
        <div class="dim">
          {tier}, {visibility}
          {sharedWith.length === 0 ? "" : `, shared with ${visibleText(sharedWith.join(", "))}`}, by{" "}
          <Name name={source} /> {outside ? <UntrustedBadge /> : null}
          {origin === null ? null : (
            <>
              {" "}
              in <SpaceLink space={origin.space} />
              <RunLink run={origin.run} />
              {origin.heard.length === 0
                ? ""
                : `, heard ${visibleText(origin.heard.map((name) => (name === "user" ? "you" : name)).join(", "))}`}
            </>
          )}
        </div>
        <MemoryActions agent={agent} entry={entry} />
      </td>
    </tr>
  );
}

function Questions({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-questions", { agent, limit: 20 }, ["personal"]);
  if (listed?.ok !== true || listed.value.questions.length === 0) return null;
  const { questions } = listed.value;
  return (
    <details>
      <summary>Who asked about it</summary>
      <ul class="plain-list">
        {questions.map(({ id, asker, space, run, query, shared, at }) => (
          <li key={id}>
            <span class="dim">
              <Timestamp at={at} />
            </span>{" "}
            <Name name={asker} />
            {space === "" ? null : (
              <>
                {" "}
                in <SpaceLink space={space} />
              </>
            )}
            : {visibleText(query)}{" "}
            <span class="dim">
              {shared === 0 ? "nothing was told" : `${countOf(shared, "thing")} told`}
              <RunLink run={run} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
