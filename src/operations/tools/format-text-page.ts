import type { TextPage } from "../core/text-page.ts";

/**
 * Formats a part of a long text for a tool result. The text is not escaped, because an agent may write it back. It comes
 * last, so that nothing after it can be mistaken for it.
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
