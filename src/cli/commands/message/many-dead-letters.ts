import { parseDuration } from "../../../domain/schedule/duration.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { EXPECTED_SPACE, Option } from "../../arguments/option.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { Refused } from "../../refused.ts";

/** Which dead letters are meant, as options. */
export const CHOICE = {
  all: { about: "All there are" },
  agent: { value: "NAME", about: "Only those of this agent" },
  since: { value: "TIME", about: "Only of messages of the last 2h, 30m or 3d" },
} as const satisfies Readonly<Record<string, Option>>;

type Many = typeof CHOICE & { readonly target: typeof EXPECTED_SPACE; readonly yes: Option };

interface Choice {
  readonly agent: string | undefined;
  readonly since: string | undefined;
}

export function readChoice({ agent, since }: Choice): Choice {
  if (since === undefined) return { agent, since };
  const duration = parseDuration(since);
  if (!duration.ok) throw new UsageError(`--since: ${duration.error.message}`, duration.error.hint);
  return { agent, since: new Date(systemClock.now() - duration.value).toISOString() };
}

export function asksForMany(
  id: string | undefined,
  { all, agent, since }: Choice & { readonly all: boolean },
): boolean {
  const isMany = all || agent !== undefined || since !== undefined;
  if (isMany && id !== undefined) throw new UsageError("Name one id, or say --all, --agent or --since; not both.");
  return isMany;
}

/** Asks when there is more than one. */
export async function mayDoAll(
  { options, terminal, call }: Invocation<Many>,
  action: string,
  verb: string,
  how: string,
): Promise<boolean> {
  if (options.yes === true) return true;
  const { total } = await call("list-dead-letters", { target: options.target, ...readChoice(options), limit: 1 });
  if (total <= 1) return true;
  if (!terminal.interactive) {
    throw new Refused({
      code: "conflict",
      message: `There are ${countOf(total, "dead letter")}, and nobody is here to ask.`,
      hint: "Type it again with --yes.",
    });
  }
  if (await terminal.confirm(`${verb} ${countOf(total, "dead letter")} ${how}?`)) return true;
  terminal.note("Nothing was done.\n");
  return false;
}

/** Settles them a part at a time, so that the daemon has time for others. */
export async function settleMany(
  { options, terminal, call }: Invocation<Many>,
  operation: "retry-dead-letters" | "drop-dead-letters",
): Promise<{ readonly settled: number; readonly refused: readonly { id: string; reason: string }[] }> {
  const choice = { target: options.target, ...readChoice(options) };
  const refused: { id: string; reason: string }[] = [];
  let settled = 0;
  for (let before: string | undefined; ;) {
    const part = await call(operation, { ...choice, before });
    settled += part.settled;
    refused.push(...part.refused);
    if (part.next === null) return { settled, refused };
    before = part.next;
    terminal.progress(`${settled} so far ...`);
  }
}
