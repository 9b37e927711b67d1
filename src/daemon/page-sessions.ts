import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { PAGE_TOKEN_MARK, pageProofText } from "../contract/service/page-token.ts";
import type { PageSessionView } from "../contract/service/page.ts";
import type { Clock } from "../kernel/clock.ts";
import type { PageSessions } from "../runtime/daemon-context.ts";
import { noPageSessionStorage, type PageSessionStorage, type PageSessionRecord } from "./page-session-file.ts";

const CODE_LASTS_MS = 2 * 60_000;
const PAIRING_CODE_LASTS_MS = 5 * 60_000;
/** Letters and digits that nobody mistakes for another: forty bits, once, and ten attempts for all of them. */
const PAIRING_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const PAIRING_LENGTH = 8;
const MOST_WRONG_PAIRINGS = 10;
const UNUSED_SESSION_LASTS_MS = 12 * 60 * 60_000;
const SESSION_LASTS_MS = 7 * 24 * 60 * 60_000;
/** A use is stored only when the stored one is this old: storing takes a write to the disk. */
const USE_IS_STORED_AFTER_MS = 10 * 60_000;
const MOST_SESSIONS = 32;
const MOST_CODES = 32;
const LONGEST_BROWSER_NAME = 200;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

interface Code {
  readonly until: number;
  /** Id of the session it was exchanged for. */
  session: string | undefined;
  /** Short enough to be guessed with many attempts. */
  readonly isShort?: true;
}

interface Session extends Omit<PageSessionRecord, "lastUsedAt"> {
  lastUsedAt: number;
  storedUseAt: number;
  /** Ends the open requests of the session. */
  readonly open: Set<() => void>;
}

/**
 * The sessions of browsers. A code is valid once and for two minutes, because other users could read it in a list of
 * processes. A code that is used a second time has leaked, and it is unknown which client was the person: its session
 * is ended. A session ends when it was not used for half a day, and after a week in any case. It survives the daemon:
 * times are wall time. Codes and secrets are stored as hashes; their shape is known to `kernel/redaction/issued-keys.ts`.
 */
export function createPageSessions(
  clock: Pick<Clock, "now" | "sleep">,
  storage: PageSessionStorage = noPageSessionStorage,
): PageSessions {
  const challenge = randomBytes(32).toString("base64url");
  const codes = new Map<string, Code>();
  /** By id; the most recently used one is last. */
  const sessions = new Map<string, Session>();
  for (const stored of storage.read()) {
    sessions.set(stored.id, { ...stored, storedUseAt: stored.lastUsedAt, open: new Set() });
    if (stored.code !== null) codes.set(stored.code.hash, { until: stored.code.until, session: stored.id });
  }

  const endsAt = ({ createdAt, lastUsedAt }: Session): number =>
    Math.min(createdAt + SESSION_LASTS_MS, lastUsedAt + UNUSED_SESSION_LASTS_MS);
  const isOver = (session: Session): boolean => {
    const now = clock.now();
    // A session with open requests is in use.
    return now >= (session.open.size > 0 ? session.createdAt + SESSION_LASTS_MS : endsAt(session));
  };
  const current = (): Session[] => [...sessions.values()].filter((session) => !isOver(session));
  const store = (): void => {
    storage.write(
      current().map(({ id, key, secretHash, browser, createdAt, lastUsedAt, code }) => ({
        id,
        key,
        secretHash,
        browser,
        createdAt,
        lastUsedAt,
        code: code !== null && code.until > clock.now() ? code : null,
      })),
    );
    for (const session of sessions.values()) session.storedUseAt = session.lastUsedAt;
  };
  const storeIfPossible = (): void => {
    try {
      store();
    } catch {
      // The session then ends with the daemon, or earlier than it would.
    }
  };

  const use = (session: Session): void => {
    session.lastUsedAt = clock.now();
    sessions.delete(session.id);
    sessions.set(session.id, session);
    if (session.lastUsedAt - session.storedUseAt >= USE_IS_STORED_AFTER_MS) storeIfPossible();
  };
  /** What cannot be stored is removed: an ended session must not be valid again after a restart. */
  const end = (ended: readonly Session[]): void => {
    for (const { id } of ended) sessions.delete(id);
    for (const { open } of ended) for (const endRequest of open) endRequest();
    if (ended.length === 0) return;
    try {
      store();
    } catch {
      storage.clear();
    }
  };
  const removeExpired = (): void => {
    const now = clock.now();
    for (const [key, { until }] of codes) if (until <= now) codes.delete(key);
    end([...sessions.values()].filter(isOver));
  };

  let wrongPairings = 0;
  const addCode = (code: string, added: Code): void => {
    removeExpired();
    codes.set(hash("sha256", code), added);
    for (const key of codes.keys()) {
      if (codes.size <= MOST_CODES) break;
      codes.delete(key);
    }
  };
  /** Whoever guesses gets ten attempts, and then there is nothing left to guess. */
  const countWrongPairing = (): void => {
    wrongPairings += 1;
    if (wrongPairings < MOST_WRONG_PAIRINGS) return;
    for (const [key, { isShort, session }] of codes) if (isShort && session === undefined) codes.delete(key);
    wrongPairings = 0;
  };

  return {
    challenge,
    createCode() {
      const code = `awc_${randomBytes(32).toString("base64url")}`;
      addCode(code, { until: clock.now() + CODE_LASTS_MS, session: undefined });
      return { code, lastsMs: CODE_LASTS_MS };
    },
    createPairingCode() {
      // The alphabet has 32 letters, so each byte gives one of them, all as likely.
      const letters = Array.from(randomBytes(PAIRING_LENGTH), (byte) => PAIRING_ALPHABET.charAt(byte % 32)).join("");
      wrongPairings = 0;
      addCode(letters, { until: clock.now() + PAIRING_CODE_LASTS_MS, session: undefined, isShort: true });
      return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, lastsMs: PAIRING_CODE_LASTS_MS };
    },
    openSession(given, { name, secrets }) {
      removeExpired();
      const text = given.startsWith("awc_") ? given : given.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
      const codeHash = hash("sha256", text);
      const code = codes.get(codeHash);
      if (code === undefined) {
        if (text.length === PAIRING_LENGTH) countWrongPairing();
        return undefined;
      }
      if (code.session !== undefined) {
        const leaked = sessions.get(code.session);
        if (leaked !== undefined) end([leaked]);
        return undefined;
      }
      const hashes = new Set(secrets.map((each) => hash("sha256", each)));
      const replaced = [...sessions.values()].filter(({ secretHash }) => hashes.has(secretHash));
      end(replaced);
      end(current().slice(0, 1 - MOST_SESSIONS));

      const id = randomBytes(8).toString("hex");
      const key = `awk_${randomBytes(32).toString("base64url")}`;
      const secret = `aws_${randomBytes(32).toString("base64url")}`;
      const createdAt = clock.now();
      const browser = name.slice(0, LONGEST_BROWSER_NAME).replaceAll(NOT_PRINTABLE, "?");
      code.session = id;
      sessions.set(id, {
        id,
        key,
        secretHash: hash("sha256", secret),
        browser,
        createdAt,
        lastUsedAt: createdAt,
        code: { hash: codeHash, until: code.until },
        storedUseAt: createdAt,
        open: new Set(),
      });
      storeIfPossible();
      return { id, key, secret, lastsMs: SESSION_LASTS_MS };
    },
    findSession(token, { host, secrets }) {
      if (!token.startsWith(PAGE_TOKEN_MARK)) return undefined;
      const [proof = "", id = ""] = token.slice(PAGE_TOKEN_MARK.length).split(".");
      const session = sessions.get(id);
      if (session === undefined || isOver(session)) return undefined;
      const expected = createHmac("sha256", session.key).update(pageProofText(challenge, host)).digest("hex");
      const isBrowser = secrets.some((secret) => isSame(hash("sha256", secret), session.secretHash));
      if (!isSame(proof, expected) || !isBrowser) return undefined;
      use(session);
      return id;
    },
    list: () =>
      current()
        .map((session): PageSessionView => {
          const { id, browser, createdAt, lastUsedAt, open } = session;
          return {
            id,
            browser,
            createdAt: new Date(createdAt).toISOString(),
            lastUsedAt: new Date(lastUsedAt).toISOString(),
            endsAt: new Date(endsAt(session)).toISOString(),
            open: open.size,
          };
        })
        .toReversed(),
    endWithSession(id, endRequest) {
      const session = sessions.get(id);
      if (session === undefined) {
        endRequest();
        return { [Symbol.dispose]: () => {} };
      }
      const closed = new AbortController();
      session.open.add(endRequest);
      clock.sleep(session.createdAt + SESSION_LASTS_MS - clock.now(), closed.signal).then(removeExpired, () => {});
      return {
        [Symbol.dispose]() {
          closed.abort();
          if (session.open.delete(endRequest) && sessions.has(id)) use(session);
        },
      };
    },
    endSession(id) {
      const session = sessions.get(id);
      if (session !== undefined) end([session]);
      return session !== undefined;
    },
    endAllSessions() {
      const ended = [...sessions.values()];
      end(ended);
      return ended.map(({ id }) => id);
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
