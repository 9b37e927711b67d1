import type { Client } from "../../client/client.ts";
import type { Terminal } from "../output/terminal.ts";
import { Refused } from "../refused.ts";
import { askWithOneKey } from "./ask-with-one-key.ts";
import { hasNothingToShow, trustText } from "./trust-text.ts";

/** How a command obtains the consent of a person. */
export interface ConsentOptions {
  readonly terminal: Terminal;
  /** The person consents in advance. */
  readonly trust: boolean;
}

/**
 * Asks the person for consent to what the project can do. Returns false where nobody can be asked. A folder without
 * definitions has nothing to ask about: everything that happens there, the person types.
 */
export async function obtainConsent(client: Client, { terminal, trust }: ConsentOptions): Promise<boolean> {
  const shown = await client.call("show-trust", {});
  if (!shown.ok) throw new Refused(shown.error);
  const given = trust || hasNothingToShow(shown.value);
  if (!given) {
    if (!terminal.interactive) return false;
    terminal.note(trustText(shown.value, "unseen"));
    if (!(await askWithOneKey(terminal, "Let it do this?"))) {
      throw new Refused({
        code: "untrusted",
        message: "Nothing was done: the project stays at rest.",
        hint: "Look again at any time: agent-worker trust",
      });
    }
  }
  const granted = await client.call("grant-trust", { seen: shown.value.fingerprint });
  if (!granted.ok) throw new Refused(granted.error);
  return true;
}
