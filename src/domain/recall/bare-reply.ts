import { wordsOf } from "./terms.ts";

/** Whether a text is nothing but a greeting, thanks or a yes: it answers no question and is worth no memory. */
export function isBareReply(text: string): boolean {
  return text.length <= MOST_CHARS && wordsOf(text).every((word) => PLEASANTRIES.has(word));
}

const MOST_CHARS = 200;

const PLEASANTRIES: ReadonlySet<string> = new Set(
  `hi hello hey greetings good morning afternoon evening night bye goodbye welcome thanks thank thx cheers you u very much
  so a lot ok okay k yes yep yeah no nope sure fine great nice cool awesome perfect alright right understood noted
  acknowledged ack got it that this is was sounds will do done i see agreed of course no problem worries all my pleasure
  please lgtm ha haha lol wow oh well and the to everyone everybody team there`.split(/\s+/),
);
