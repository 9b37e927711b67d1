import { useState } from "preact/hooks";
import type { GrantView } from "../../../src/contract/spaces/grants.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Empty, Name, Section } from "../parts/elements.tsx";
import { spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";
import { useDecision } from "./decisions/use-decision.ts";

/** What an agent has by grants, and a form to grant more. `targets`: where it can be granted something. */
export function Grants({
  grants,
  targets,
}: {
  readonly grants: readonly GrantView[];
  readonly targets: readonly string[];
}) {
  return (
    <Section title="Grants" count={grants.length}>
      {grants.length === 0 ? <Empty>Nothing: it has the tools of its definition.</Empty> : null}
      <ul class="plain-list">
        {grants.map((grant) => (
          <Granted key={`${grant.space} ${grant.agent} ${grant.tool}`} grant={grant} />
        ))}
      </ul>
      {targets.length === 0 ? null : <NewGrant targets={targets} />}
    </Section>
  );
}

function Granted({ grant: { space, agent, tool, handOn, by } }: { readonly grant: GrantView }) {
  const { deciding, decide } = useDecision();
  const target = space.startsWith("@") ? agent + space : agent;
  const done = `${agent} may no longer use ${tool}.`;
  return (
    <li>
      <code>{visibleText(tool)}</code>{" "}
      <span class="dim">
        in {space.startsWith("@") ? spaceName(space) : "direct messages"}, from <Name name={by} />
        {handOn ? ", may hand it on" : ""}
      </span>{" "}
      <ConfirmButton
        label="Revoke"
        disabled={deciding}
        onConfirm={() => void decide("revoke-tools", { agent: target, tools: [tool] }, done)}
      />
    </li>
  );
}

function NewGrant({ targets }: { readonly targets: readonly string[] }) {
  const [chosen, setChosen] = useState(targets[0] ?? "");
  const [tool, setTool] = useState("");
  const [handOn, setHandOn] = useState(false);
  const { deciding, decide } = useDecision(() => setTool(""));
  const target = targets.includes(chosen) ? chosen : (targets[0] ?? "");
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const tools = tool.split(/[\s,]+/).filter((name) => name !== "");
        if (tools.length > 0)
          void decide("grant-tools", { agent: target, tools, handOn }, `Granted: ${tools.join(", ")}.`);
      }}
    >
      <select aria-label="Where" value={target} onChange={(event) => setChosen(event.currentTarget.value)}>
        {targets.map((each) => (
          <option key={each} value={each}>
            {each.includes("@") ? spaceName(each) : "direct messages"}
          </option>
        ))}
      </select>
      <input
        aria-label="Tools to grant"
        placeholder="rule_add"
        value={tool}
        onInput={(event) => setTool(event.currentTarget.value)}
      />
      <label class="check">
        <input type="checkbox" checked={handOn} onChange={(event) => setHandOn(event.currentTarget.checked)} />
        may hand on
      </label>
      <button type="submit" class="button" disabled={deciding || tool.trim() === ""}>
        Grant
      </button>
    </form>
  );
}
