import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { PageSessionStorage, PageSessionRecord } from "../../src/daemon/page-session-file.ts";
import { createPageSessions } from "../../src/daemon/page-sessions.ts";
import { createRedactor } from "../../src/kernel/redact.ts";
import type { SignInResult, PageSessions } from "../../src/runtime/daemon-context.ts";
import { manualClock } from "../support/manual-clock.ts";
import { eventually } from "../support/team/running-project.ts";

const HOUR = 3_600_000;
const HOST = "127.0.0.1:5099";
const BROWSER = { name: "Test/1.0", secrets: [] };

const open = (pages: PageSessions, secrets: readonly string[] = []): SignInResult => {
  const opened = pages.openSession(pages.createCode().code, { ...BROWSER, secrets });
  if (opened === undefined) throw new Error("the code was refused");
  return opened;
};
const isValid = (pages: PageSessions, { id, key, secret }: SignInResult): boolean => {
  const proof = createHmac("sha256", key).update(`${pages.challenge}\n${HOST}`).digest("hex");
  return pages.findSession(`awu_${proof}.${id}`, { host: HOST, secrets: [secret] }) === id;
};

/** What is stored, as the next daemon reads it. */
function memoryStorage(): PageSessionStorage & { stored: readonly PageSessionRecord[]; isFull: boolean } {
  return {
    stored: [],
    isFull: false,
    read() {
      return this.stored;
    },
    write(sessions) {
      if (this.isFull) throw new Error("the disk is full");
      this.stored = sessions;
    },
    clear() {
      this.stored = [];
    },
  };
}

it("a session is taken back when its code is used again: somebody else has seen it [ui.token]", () => {
  const pages = createPageSessions(manualClock());
  const { code } = pages.createCode();
  const opened = pages.openSession(code, BROWSER);
  expect(opened !== undefined && isValid(pages, opened)).toBe(true);
  expect(pages.openSession(code, BROWSER)).toBeUndefined();
  expect(opened !== undefined && isValid(pages, opened)).toBe(false);
});

it("a session is only had soon, ends when it is not used, and is one of few [ui.token]", () => {
  const clock = manualClock();
  const pages = createPageSessions(clock);
  const late = pages.createCode();
  clock.advance(late.lastsMs);
  expect(pages.openSession(late.code, BROWSER)).toBeUndefined();
  expect(pages.openSession("awc_nobody", BROWSER)).toBeUndefined();
  const first = open(pages);
  for (let hours = 0; hours < 24; hours += 6) {
    clock.advance(6 * HOUR);
    expect(isValid(pages, first)).toBe(true);
  }
  const others = Array.from({ length: 32 }, () => open(pages));
  expect(isValid(pages, first)).toBe(false);
  expect(others.every((each) => isValid(pages, each))).toBe(true);
  clock.advance(12 * HOUR);
  expect(others.some((each) => isValid(pages, each))).toBe(false);
  expect(pages.list()).toEqual([]);
});

it("a session ends after a week, also one that is in use, with what it has open [sessions.revoked-streams]", async () => {
  const clock = manualClock();
  const pages = createPageSessions(clock);
  const opened = open(pages);
  let ended = 0;
  using _request = pages.endWithSession(opened.id, () => void (ended += 1));
  // An open request is a use: half a day without another one does not end it.
  clock.advance(7 * 24 * HOUR - 1);
  expect([ended, isValid(pages, opened)]).toEqual([0, true]);
  clock.advance(1);
  await eventually("its request was ended", () => ended === 1);
  expect(isValid(pages, opened)).toBe(false);
});

it("a request of a session that has just ended is ended at once [sessions.revoked-streams]", () => {
  const pages = createPageSessions(manualClock());
  const { id } = open(pages);
  expect([pages.endSession(id), pages.endSession(id)]).toEqual([true, false]);
  let ended = 0;
  using _request = pages.endWithSession(id, () => void (ended += 1));
  expect(ended).toBe(1);
});

it("the next daemon knows the sessions, with another challenge, and neither those that ended nor their secrets [sessions.survive]", () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const pages = createPageSessions(clock, storage);
  const [kept, ended] = [open(pages), open(pages)];
  pages.endSession(ended.id);
  const next = createPageSessions(clock, storage);
  expect(next.challenge).not.toBe(pages.challenge);
  expect([isValid(next, kept), isValid(next, ended)]).toEqual([true, false]);
  expect(JSON.stringify(storage.stored)).not.toContain(kept.secret);
  // A use is stored from time to time: the half day begins again.
  clock.advance(11 * HOUR);
  expect(isValid(next, kept)).toBe(true);
  clock.advance(11 * HOUR);
  expect(isValid(createPageSessions(clock, storage), kept)).toBe(true);
});

it("the next daemon knows the used codes until they expire [sessions.survive]", () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const pages = createPageSessions(clock, storage);
  const [early, late] = [pages.createCode(), pages.createCode()];
  const first = pages.openSession(early.code, BROWSER);
  const second = pages.openSession(late.code, BROWSER);
  if (first === undefined || second === undefined) throw new Error("the code was refused");
  expect(JSON.stringify(storage.stored)).not.toContain(early.code);
  const next = createPageSessions(clock, storage);
  expect(next.openSession(early.code, BROWSER)).toBeUndefined();
  expect([isValid(next, first), isValid(next, second)]).toEqual([false, true]);
  clock.advance(late.lastsMs);
  const last = createPageSessions(clock, storage);
  expect(last.openSession(late.code, BROWSER)).toBeUndefined();
  expect(isValid(last, second)).toBe(true);
  open(last);
  expect(storage.stored.map(({ code }) => code === null)).toEqual([true, false]);
});

it("a session that ends while nothing can be stored is not there for the next daemon [sessions.survive]", () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const pages = createPageSessions(clock, storage);
  const opened = open(pages);
  storage.isFull = true;
  pages.endSession(opened.id);
  expect(isValid(createPageSessions(clock, storage), opened)).toBe(false);
});

it("a browser that signs in again has one session [sessions.listed]", () => {
  const pages = createPageSessions(manualClock());
  const first = open(pages);
  const second = open(pages, [first.secret, "aws_other"]);
  expect(pages.list().map(({ id }) => id)).toEqual([second.id]);
});

it("codes, keys, secrets and tokens are known by their shape, so that none is kept in what anybody says", () => {
  const pages = createPageSessions(manualClock());
  const { code } = pages.createCode();
  const { key, secret } = open(pages);
  const token = `awu_${"0123456789abcdef".repeat(4)}.0123456789abcdef`;
  expect(createRedactor().redact(`see ${code}, ${key}, ${secret} and ${token}`)).not.toMatch(/aw[cksu]_[\w-]{8}/);
});
