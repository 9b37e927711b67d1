import { z } from "zod";

/**
 * How a browser is authenticated: the command requests a code and puts it behind the `#` of the address it opens, which
 * browsers never send. The page exchanges the code, once, for a session. A session has two halves, and a request needs
 * both:
 *
 * - the secret, in a cookie that no script can read. Cookies ignore the port: every program on this machine that the
 *   browser visits gets it.
 * - the key, in the storage of the page's origin, which includes the port. It is never sent: the page sends a proof
 *   that it has the key, made for one daemon process and one address.
 */
export const pageCodeView = z.object({
  code: z.string(),
  /** Address of the page, as the client reached the daemon, without the code. */
  url: z.string(),
  /** How long the code is valid. */
  lastsMs: z.int(),
});
export type PageCodeView = z.output<typeof pageCodeView>;

/** The half of a new session that the page stores; the other half is in the cookie of the same response. */
export const pageKeyView = z.object({ session: z.string(), key: z.string(), challenge: z.string() });
export type PageKeyView = z.output<typeof pageKeyView>;

export const pageSessionView = z.object({
  id: z.string(),
  /** What the browser called itself when it signed in. */
  browser: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  /** When it ends if it is not used before then. */
  endsAt: z.string(),
  /** How many requests of it are open, streams of events included. */
  open: z.int(),
});
export type PageSessionView = z.output<typeof pageSessionView>;

export const pageSessionListView = z.object({ sessions: z.array(pageSessionView) });
export type PageSessionListView = z.output<typeof pageSessionListView>;

export const endedPageSessionsView = z.object({ ended: z.array(z.string()) });
export type EndedPageSessionsView = z.output<typeof endedPageSessionsView>;
