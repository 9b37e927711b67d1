import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import type { PageSessions } from "../runtime/daemon-context.ts";

const CODE_LASTS_MS = 2 * 60_000;
const SESSION_LASTS_MS = 12 * 60 * 60_000;
const MOST_SESSIONS = 32;
const MOST_CODES = 32;
const TOKEN_MARK = "awu_";

interface Code {
  readonly until: number;
  /** Hash of the token it was exchanged for. */
  session: string | undefined;
}

/**
 * The sessions of browsers. A code is valid once and for two minutes, because other users could read it in a list of
 * processes. A code that is used a second time has leaked, and it is unknown which client was the person: its session
 * is ended. A session ends when it was not used for half a day, and with the daemon. Codes and tokens are stored as
 * hashes; their shape is known to `kernel/redaction/issued-keys.ts`.
 */
export function createPageSessions(clock: Pick<Clock, "monotonic">): PageSessions {
  const codes = new Map<string, Code>();
  /** When each session expires, by the hash of its token; the most recently used one is last. */
  const sessions = new Map<string, number>();

  const removeExpired = (): void => {
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
    createCode() {
      removeExpired();
      const code = `awc_${randomBytes(32).toString("base64url")}`;
      codes.set(hash("sha256", code), { until: clock.monotonic() + CODE_LASTS_MS, session: undefined });
      keepLast(codes, MOST_CODES);
      return { code, lastsMs: CODE_LASTS_MS };
    },
    openSession(text) {
      removeExpired();
      const code = codes.get(hash("sha256", text));
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
    isValid(token) {
      if (!token.startsWith(TOKEN_MARK)) return false;
      const key = hash("sha256", token);
      const until = sessions.get(key);
      if (until === undefined || until <= clock.monotonic()) return false;
      use(key);
      return true;
    },
    endSession: (token) => void sessions.delete(hash("sha256", token)),
  };
}

function keepLast(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
