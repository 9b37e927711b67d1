import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { DaemonResult, DaemonError } from "../connection/daemon.ts";
import { hrefOf, type Route } from "../state/route.ts";
import { hueOf, initialsOf } from "../text/agent-colour.ts";
import { withoutCommands, withoutIds } from "../text/notice-text.ts";
import { spaceName } from "../text/space-name.ts";
import { clockTime, dayOf } from "../text/time.ts";
import { visibleText } from "../text/visible-text.ts";
import { Icon } from "./icon.tsx";

/** The small components that all views use. */
export function Link({
  to,
  class: className = "",
  current = false,
  label,
  children,
}: {
  readonly to: Route;
  readonly class?: string;
  readonly current?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      href={hrefOf(to)}
      class={className}
      {...(current ? { "aria-current": "page" } : {})}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      {children}
    </a>
  );
}

/** The channel of a workspace, or the direct messages of an agent. */
export function SpaceLink({ space, class: className = "" }: { readonly space: string; readonly class?: string }) {
  return (
    <Link to={{ view: "channel", space }} class={className}>
      {spaceName(space)}
    </Link>
  );
}

/** A name in its colour. */
export function Name({ name }: { readonly name: string }) {
  const plain = name === "user" || name === "system";
  return (
    <span class={plain ? `name ${name}` : `name hue-${hueOf(name)}`}>
      {name === "user" ? "you" : visibleText(name)}
    </span>
  );
}

/** The first letters of a name, in its colour. The name is written beside it. */
export function Avatar({ name }: { readonly name: string }) {
  const [className, sign] =
    name === "user"
      ? ["user", <Icon key={name} name="person" />]
      : name === "system"
        ? ["system", <Icon key={name} name="notice" />]
        : [`hue-${hueOf(name)}`, initialsOf(name)];
  return (
    <span class={`avatar ${className}`} aria-hidden="true">
      {sign}
    </span>
  );
}

export function Timestamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {dayOf(at) === dayOf(new Date().toISOString()) ? clockTime(at) : `${dayOf(at)} ${clockTime(at)}`}
    </time>
  );
}

export function Badge({ children, kind = "" }: { readonly children: ComponentChildren; readonly kind?: string }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A link to the run that caused something. */
export function RunLink({ run }: { readonly run: string | null }) {
  if (run === null) return null;
  return (
    <>
      , <Link to={{ view: "run", run }}>its run</Link>
    </>
  );
}

/** What something was learned from. Runs are links. */
export function Evidence({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p class="dim">
      Evidence:{" "}
      {ids.map((id, at) => (
        <span key={id} class="chip">
          {id.startsWith("run_") ? (
            <Link to={{ view: "run", run: id }}>run {at + 1}</Link>
          ) : id.startsWith("msg_") ? (
            "a message"
          ) : (
            visibleText(id)
          )}
        </span>
      ))}
    </p>
  );
}

/** The columns in `numbers` are aligned as numbers. */
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
    <div class="table-frame" tabIndex={0} role="group" aria-label={`Table: ${columns.join(", ")}`}>
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

/** Marks untrusted content: it may come from other agents, files or web pages. */
export function UntrustedBadge() {
  return <Badge kind="warn">outside text</Badge>;
}

/** `next`: where to go when what was asked for is not there. */
export function ErrorBox({
  error,
  next,
}: {
  readonly error: DaemonError;
  readonly next?: { readonly label: string; readonly to: Route } | undefined;
}) {
  // Only a terminal helps when there is no daemon.
  const hint = error.code === "unavailable" ? (error.hint ?? "") : withoutCommands(error.hint ?? "");
  return (
    <div class="trouble" role="alert">
      <p>{visibleText(withoutIds(error.message))}</p>
      {hint === "" ? null : <p class="dim">{visibleText(withoutIds(hint))}</p>}
      {next === undefined ? null : (
        <p>
          <Link to={next.to}>{next.label}</Link>
        </p>
      )}
    </div>
  );
}

export function Loading({ label = "Loading" }: { readonly label?: string }) {
  return <div class="loading" role="status" aria-busy="true" aria-label={label} />;
}

/** Shows a loaded value, the error, or a placeholder while it is loading. */
export function Loaded<T>({
  result,
  next,
  children,
}: {
  readonly result: DaemonResult<T> | undefined;
  readonly next?: Parameters<typeof ErrorBox>[0]["next"];
  readonly children: (value: T) => ComponentChildren;
}) {
  if (result === undefined) return <Loading />;
  return <>{result.ok ? children(result.value) : <ErrorBox error={result.error} next={next} />}</>;
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

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** A folded part. Its content is rendered only while it is unfolded. */
export function Fold({
  summary,
  children,
}: {
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open ? children() : null}
    </details>
  );
}

/** A field with its name above it and a hint below. */
export function Field({
  label,
  hint = "",
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label>
        <span class="field-label">{label}</span>
        {children}
      </label>
      {hint === "" ? null : <span class="dim">{hint}</span>}
    </div>
  );
}

export function ActionButton({
  label,
  primary = false,
  title,
  disabled,
  onClick,
}: {
  readonly label: string;
  readonly primary?: boolean;
  readonly title?: string;
  readonly disabled: boolean;
  readonly onClick: () => unknown;
}) {
  return (
    <button
      type="button"
      class={primary ? "button primary" : "button"}
      title={title}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </button>
  );
}
