import type { TextPage } from "../core/text-page.ts";

/**
 * A part of a long text in the answer of a tool. The text is as it is, because it may be written back, and it comes
 * last, so that nothing follows it that could be mistaken for it.
 */
export function formatTextPage(
  what: string,
  { content, total, next, offset }: TextPage & { readonly offset: number },
): string {
  const whole = offset === 0 && next === null;
  const shown = whole ? `${total} characters` : `characters ${offset} to ${next ?? total} of ${total}`;
  const rest = next === null ? "" : `; go on with offset ${next}`;
  return `${what}, ${shown}${rest}:\n\n${content}`;
}
