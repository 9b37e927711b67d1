import { z } from "zod";

/**
 * How a browser becomes the person's: the command asks for a code and puts it behind the `#` of the address it opens,
 * which browsers never send; the page gives the code back once and gets a token of its own. So no address, no list of
 * processes and no history ever holds a token.
 */
export const pageCodeView = z.object({
  code: z.string(),
  /** Where the page is, as whoever asked reached the daemon; without the code. */
  url: z.string(),
  /** After that the code opens nothing. */
  lastsMs: z.int(),
});
export type PageCodeView = z.output<typeof pageCodeView>;

export const pageSessionView = z.object({ token: z.string() });
export type PageSessionView = z.output<typeof pageSessionView>;
