import { z } from "zod";

/**
 * How a browser is authenticated: the command requests a code and puts it behind the `#` of the address it opens, which
 * browsers never send. The page exchanges the code, once, for its own token. So no address, list of processes or history
 * contains a token.
 */
export const pageCodeView = z.object({
  code: z.string(),
  /** Address of the page, as the client reached the daemon, without the code. */
  url: z.string(),
  /** How long the code is valid. */
  lastsMs: z.int(),
});
export type PageCodeView = z.output<typeof pageCodeView>;

export const pageSessionView = z.object({ token: z.string() });
export type PageSessionView = z.output<typeof pageSessionView>;
