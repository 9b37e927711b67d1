import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fileFault } from "../files/file-fault.ts";
import type { Log } from "../kernel/log.ts";
import { writePrivateFile } from "../files/private-file.ts";

/**
 * A session as it is stored. The file alone signs nobody in: it holds the hash of the secret that the browser sends in
 * its cookie, not the secret.
 */
const pageSessionRecord = z.object({
  id: z.string(),
  key: z.string(),
  secretHash: z.string(),
  browser: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number(),
  /** The code it was opened with, until the code expires: a second use of it ends the session. */
  code: z.object({ hash: z.string(), until: z.number() }).nullable().default(null),
});
export type PageSessionRecord = z.output<typeof pageSessionRecord>;

/** Where the sessions of browsers are stored, so that they survive the daemon. */
export interface PageSessionStorage {
  read(): readonly PageSessionRecord[];
  /** Without a Fault, the next daemon reads these sessions. */
  write(sessions: readonly PageSessionRecord[]): void;
  /** Without a Fault, the next daemon reads none. */
  clear(): void;
}

const FILE = "page-sessions.json";
const content = z.object({ sessions: z.array(pageSessionRecord) });

export function pageSessionFile(home: string, log: Log): PageSessionStorage {
  const path = join(home, FILE);
  return {
    read() {
      let text: string;
      try {
        text = readFileSync(path, "utf8");
      } catch {
        return [];
      }
      try {
        return content.parse(JSON.parse(text)).sessions;
      } catch (error) {
        log.warn("the sessions of browsers cannot be read: every browser has to sign in again", { path, error });
        return [];
      }
    },
    write: (sessions) => writePrivateFile(path, `${JSON.stringify({ sessions }, null, 2)}\n`),
    clear() {
      try {
        rmSync(path, { force: true });
      } catch (error) {
        throw fileFault("write", path, error);
      }
    },
  };
}

/** For a daemon whose sessions end with it. */
export const noPageSessionStorage: PageSessionStorage = { read: () => [], write: () => {}, clear: () => {} };
