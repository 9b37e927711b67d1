import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import type { PageSessions } from "../runtime/daemon-context.ts";

/**
 * The browsers that are let in. A code is good once and for two minutes: it is what somebody could see in a list of
 * processes. A code that comes a second time was seen by somebody, and nobody can say which of the two was the person:
 * the token it was exchanged for is taken back, and both are told. Tokens end when they were not used for half a day,
 * and with the daemon. All are kept as hashes; their shape is known to `kernel/secret-shapes.ts`.
 */
const CODE_LASTS_MS = 2 * 60_000;
const SESSION_LASTS_MS = 12 * 60 * 60_000;
const MOST_SESSIONS = 32;
const MOST_CODES = 32;
const TOKEN_MARK = "awu_";

interface Code {
  readonly until: number;
  /** What it was exchanged for. */
  session: string | undefined;
}

export function createPageSessions(clock: Pick<Clock, "monotonic">): PageSessions {
  const codes = new Map<string, Code>();
  /** By the hash of the token, until when; the one that was used last stands last. */
  const sessions = new Map<string, number>();

  const tidyUp = (): void => {
    const now = clock.monotonic();
    for (const [key, { until }] of codes) if (until <= now) codes.delete(key);
    for (const [key, until] of sessions) if (until <= now) sessions.delete(key);
  };
  const use = (key: string): void => {
    sessions.delete(key);
    sessions.set(key, clock.monotonic() + SESSION_LASTS_MS);
    keepLast(sessions, MOST_SESSIONS);
  };

  return {
    invite() {
      tidyUp();
      const code = `awc_${randomBytes(32).toString("base64url")}`;
      codes.set(hash("sha256", code), { until: clock.monotonic() + CODE_LASTS_MS, session: undefined });
      keepLast(codes, MOST_CODES);
      return { code, lastsMs: CODE_LASTS_MS };
    },
    enter(given) {
      tidyUp();
      const code = codes.get(hash("sha256", given));
      if (code === undefined) return undefined;
      if (code.session !== undefined) {
        sessions.delete(code.session);
        return undefined;
      }
      const token = `${TOKEN_MARK}${randomBytes(32).toString("base64url")}`;
      code.session = hash("sha256", token);
      use(code.session);
      return token;
    },
    recognise(token) {
      if (!token.startsWith(TOKEN_MARK)) return false;
      const key = hash("sha256", token);
      const until = sessions.get(key);
      if (until === undefined || until <= clock.monotonic()) return false;
      use(key);
      return true;
    },
    leave: (token) => void sessions.delete(hash("sha256", token)),
  };
}

function keepLast(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
