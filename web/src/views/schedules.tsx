import { useState } from "preact/hooks";
import type { ScheduleView } from "../../../src/contract/schedules.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import {
  ActionButton,
  Badge,
  Empty,
  Field,
  Fold,
  Link,
  Loaded,
  Section,
  Table,
  Timestamp,
} from "../parts/elements.tsx";
import { useOperation, usePage, useTeam } from "../state/page-context.ts";
import { spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";
import { useDecision } from "./decisions/use-decision.ts";

/** What wakes agents at times: a list with actions, and a form for a new one. */
export function Schedules() {
  const listed = useOperation("list-schedules", {}, ["schedules", "runs"]);
  return (
    <div class="view">
      <header class="view-header">
        <h1>Schedules</h1>
      </header>
      <Loaded result={listed}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty>Nobody is woken at times.</Empty>
          ) : (
            schedules.map((schedule) => <Schedule key={schedule.target} schedule={schedule} />)
          )
        }
      </Loaded>
      <NewSchedule />
    </div>
  );
}

function Schedule({ schedule }: { readonly schedule: ScheduleView }) {
  const { target, wakeup, timeZone, prompt, agents, paused, defined, reason, nextAt, lastFiredAt } = schedule;
  const { deciding, decide } = useDecision();
  return (
    <article class="card" aria-label={`Schedule of ${target}`}>
      <p>
        <strong>{visibleText(target)}</strong> <code>{visibleText(wakeup)}</code>{" "}
        {timeZone === null ? null : <span class="dim">{visibleText(timeZone)} </span>}
        {paused ? <Badge kind="warn">paused</Badge> : nextAt === null ? <Badge>rests</Badge> : null}{" "}
        {defined ? <Link to={{ view: "files", file: `.agents/${agents[0] ?? ""}.yaml` }}>in its file</Link> : null}
      </p>
      {prompt === null ? null : <p>{visibleText(prompt)}</p>}
      <p class="dim">
        Wakes {agents.length === 0 ? "nobody yet" : agents.join(", ")}.{" "}
        {nextAt === null ? (
          visibleText(reason ?? "")
        ) : (
          <>
            Next at <Timestamp at={nextAt} />.
          </>
        )}{" "}
        {lastFiredAt === null ? null : (
          <>
            Last at <Timestamp at={lastFiredAt} />.
          </>
        )}
      </p>
      <p class="actions">
        <ActionButton
          label="Run now"
          disabled={deciding}
          onClick={() => decide("run-schedule", { target }, `${target} was woken.`)}
        />
        {paused ? (
          <ActionButton
            label="Resume"
            disabled={deciding}
            onClick={() => decide("resume-schedule", { target }, `${target} is woken again.`)}
          />
        ) : (
          <ActionButton
            label="Pause"
            disabled={deciding}
            onClick={() => decide("pause-schedule", { target }, `${target} is not woken until you resume it.`)}
          />
        )}
        {defined ? null : (
          <ConfirmButton
            label="Remove"
            disabled={deciding}
            onConfirm={() => void decide("clear-schedule", { target }, `${target} is not woken any more.`)}
          />
        )}
      </p>
      <Fold summary="History">{() => <History target={target} />}</Fold>
    </article>
  );
}

function History({ target }: { readonly target: string }) {
  const listed = useOperation("list-schedule-firings", { target }, ["runs", "messages"]);
  return (
    <Loaded result={listed}>
      {({ firings }) =>
        firings.length === 0 ? (
          <Empty>It has woken nobody yet.</Empty>
        ) : (
          <Table columns={["When", "Who", "Where", "What became of it"]}>
            {firings.map(({ at, agent, space, message, state, run }) => (
              <tr key={`${message} ${agent}`}>
                <td>
                  <Timestamp at={at} />
                </td>
                <td>{visibleText(agent)}</td>
                <td>{spaceName(space)}</td>
                <td>
                  {STATES[state]} {run === null ? null : <Link to={{ view: "run", run }}>its run</Link>}
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

const STATES = { pending: "waits", leased: "at work", acked: "done", dead: "dead letter" } as const;

function NewSchedule() {
  const { daemon, notify } = usePage();
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const [target, setTarget] = useState("");
  const [wakeup, setWakeup] = useState("");
  const [prompt, setPrompt] = useState("");
  const [saving, setSaving] = useState(false);
  const targets = [...agents.map(({ name }) => name), ...workspaces.map(({ space }) => space)];
  const chosen = target === "" ? (targets[0] ?? "") : target;
  const save = async (): Promise<void> => {
    setSaving(true);
    const zone = wakeup.trim().includes(" ") ? { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone } : {};
    const set = await daemon.call("set-schedule", {
      target: chosen,
      wakeup: wakeup.trim(),
      ...zone,
      ...(prompt.trim() === "" ? {} : { prompt: prompt.trim() }),
    });
    setSaving(false);
    if (set.ok) setWakeup("");
    notify(
      set.ok ? `${chosen} is woken: ${wakeup.trim()}.` : `${set.error.message} ${set.error.hint ?? ""}`,
      set.ok ? "good" : "bad",
    );
  };
  if (targets.length === 0) {
    return (
      <Empty>
        There is nobody to wake yet. <Link to={{ view: "setup" }}>Make a team</Link>.
      </Empty>
    );
  }
  return (
    <Section title="Set a schedule">
      <form
        class="form"
        aria-label="New schedule"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Whom to wake">
          <select value={chosen} onChange={(event) => setTarget(event.currentTarget.value)}>
            {targets.map((each) => (
              <option key={each} value={each}>
                {spaceName(each)}
              </option>
            ))}
          </select>
        </Field>
        <Field label="When" hint="30m, 2h, or minute hour day month weekday: 0 9 * * 1-5">
          <input value={wakeup} required onInput={(event) => setWakeup(event.currentTarget.value)} />
        </Field>
        <Field label="What it is told" hint="optional">
          <input value={prompt} onInput={(event) => setPrompt(event.currentTarget.value)} />
        </Field>
        <p class="actions">
          <button type="submit" class="button primary" disabled={saving || wakeup.trim() === ""}>
            Set
          </button>
        </p>
      </form>
    </Section>
  );
}
