import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Answer, Trouble } from "../connection/daemon.ts";
import { addressOf, type Place } from "../state/place.ts";
import { hueOf } from "../text/agent-colour.ts";
import { clockTime, dayOf } from "../text/moment.ts";
import { spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";

/** The small things every view is made of. */
export function Go({
  to,
  class: look = "",
  current = false,
  label,
  children,
}: {
  readonly to: Place;
  readonly class?: string;
  readonly current?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      href={addressOf(to)}
      class={look}
      {...(current ? { "aria-current": "page" } : {})}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      {children}
    </a>
  );
}

/** The channel of a workspace, or the direct messages of an agent. */
export function SpaceLink({ space, class: look = "" }: { readonly space: string; readonly class?: string }) {
  return (
    <Go to={{ view: "channel", space }} class={look}>
      {spaceName(space)}
    </Go>
  );
}

/** A name in its colour. */
export function Name({ name }: { readonly name: string }) {
  const plain = name === "user" || name === "system";
  return <span class={plain ? `name ${name}` : `name hue-${hueOf(name)}`}>{visibleText(name)}</span>;
}

export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {dayOf(at) === dayOf(new Date().toISOString()) ? clockTime(at) : `${dayOf(at)} ${clockTime(at)}`}
    </time>
  );
}

export function Badge({ children, kind = "" }: { readonly children: ComponentChildren; readonly kind?: string }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** What did it, for whoever wants to look further. */
export function RunLink({ run }: { readonly run: string | null }) {
  if (run === null) return null;
  return (
    <>
      , <Go to={{ view: "run", run }}>its run</Go>
    </>
  );
}

/** Ids of what something rests on; a run can be looked at. */
export function Evidence({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p class="dim">
      Evidence:{" "}
      {ids.map((id) => (
        <span key={id} class="chip">
          {id.startsWith("run_") ? <Go to={{ view: "run", run: id }}>{id}</Go> : visibleText(id)}
        </span>
      ))}
    </p>
  );
}

/** Of the columns, those with `numbers` are aligned as such. */
export function Table({
  columns,
  numbers = [],
  children,
}: {
  readonly columns: readonly string[];
  readonly numbers?: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numbers.includes(column) ? "number" : ""}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** It was made of what others said, or of what a file or a page holds: a claim, and nobody here stands for it. */
export function OutsideMark() {
  return <Badge kind="warn">outside text</Badge>;
}

export function TroubleBox({ error }: { readonly error: Trouble }) {
  return (
    <div class="trouble" role="alert">
      <p>{visibleText(error.message)}</p>
      {error.hint === undefined ? null : <p class="dim">{visibleText(error.hint)}</p>}
    </div>
  );
}

/** What was asked for, when it is there; until then a place for it, or why it is not there. */
export function Answered<T>({
  answer,
  children,
}: {
  readonly answer: Answer<T> | undefined;
  readonly children: (value: T) => ComponentChildren;
}) {
  if (answer === undefined) return <div class="loading" aria-busy="true" aria-label="Loading" />;
  return <>{answer.ok ? children(answer.value) : <TroubleBox error={answer.error} />}</>;
}

export function Section({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="section" aria-label={title}>
      <h2>
        {title}
        {count === undefined || count === 0 ? null : <Badge>{count}</Badge>}
      </h2>
      {children}
    </section>
  );
}

export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** A button for what cannot be undone: it asks once more, in its own place. */
export function SureButton({
  label,
  onSure,
  disabled = false,
}: {
  readonly label: string;
  readonly onSure: () => void;
  readonly disabled?: boolean;
}) {
  const [asked, setAsked] = useState(false);
  const press = (): void => {
    if (asked) onSure();
    setAsked(!asked);
  };
  return (
    <button
      type="button"
      class={asked ? "button bad" : "button quiet"}
      disabled={disabled}
      onClick={press}
      onBlur={() => setAsked(false)}
    >
      {asked ? `Really ${label.toLowerCase()}?` : label}
    </button>
  );
}
