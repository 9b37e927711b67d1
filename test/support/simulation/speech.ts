import { AGENTS, membersOf } from "./cast.ts";
import type { Chance } from "./chance.ts";

/** Something to say, and whom it really calls. */
export interface Speech {
  readonly text: string;
  readonly calls: readonly string[];
}

const FILLER = "looked at this from every side and would like another opinion before going on";

export const UNKNOWN_CALL = "@nobody";
/** Mentions that are none: unknown names, code, addresses, the speaker. */
const DECOYS = [UNKNOWN_CALL, "`@ada`", "ada@ben.example", "\\@eve"];

export function compose(
  chance: Chance,
  options: { space: string; speaker: string; talkative: number; terse: boolean },
): Speech {
  const { space, speaker, talkative, terse } = options;
  const parts = [terse ? "ok" : `${speaker} ${FILLER}`];
  const calls: string[] = [];
  if (chance.is(talkative)) {
    const members = membersOf(space).map(({ agent }) => agent);
    const names = members.length === 0 ? AGENTS : [...members, ...members, "all"];
    for (let n = chance.is(0.8) ? 1 : 2; n > 0; n -= 1) calls.push(chance.one(names));
  }
  if (!terse && chance.is(0.1)) parts.push(chance.one(DECOYS));
  return { text: [...parts, ...calls.map((name) => `@${name}`)].join(" "), calls };
}
