import { Badge, Section, Table, Timestamp } from "../../parts/elements.tsx";
import { useOperation } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";

const KINDS = { live: "good", away: "warn", left: "" } as const;

/** The daemons that work for the project, when there are several: what each can run and what it runs now. */
export function Nodes() {
  const listed = useOperation("list-nodes", {}, ["runs"]);
  if (listed?.ok !== true || listed.value.nodes.length < 2) return null;
  return (
    <Section title="Nodes" count={listed.value.nodes.filter(({ state }) => state === "live").length}>
      <Table columns={["Node", "State", "At work", "Can run", "Last heard"]}>
        {listed.value.nodes.map(({ name, state, self, lead, running, capacity, engines, labels, lastBeat }) => (
          <tr key={name}>
            <th scope="row">
              {visibleText(name)} {self ? <span class="dim">this one</span> : null}
            </th>
            <td>
              <Badge kind={KINDS[state]}>{state}</Badge> {lead ? <Badge>lead</Badge> : null}
            </td>
            <td>
              {running.length === 0 ? <span class="dim">nobody</span> : visibleText(running.join(", "))}
              {capacity === null ? "" : ` (at most ${capacity})`}
            </td>
            <td class="dim">{visibleText([...engines, ...labels].join(", "))}</td>
            <td class="dim">
              <Timestamp at={lastBeat} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
