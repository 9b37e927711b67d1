import { urlOf } from "../../client/address.ts";
import { readDiscovery } from "../../client/discovery.ts";
import { homeFolder } from "../../client/home.ts";
import { defineCommand } from "../command.ts";
import { Refused } from "../refused.ts";

/**
 * The address alone, never with the token: an address ends up in the history of a shell and of a browser, and in the
 * arguments of whatever opens it.
 */
export const ui = defineCommand({
  about: "Prints where the daemon's page is. A web UI is not part of this version yet: the page says so too.",
  examples: ["agent-worker ui"],

  async run({ terminal, client, answer }) {
    await client();
    const registration = readDiscovery(homeFolder(terminal.env));
    if (registration.state !== "claimed") {
      throw new Refused({ code: "unavailable", message: "The daemon is gone again.", hint: "Try once more." });
    }
    const { host, port } = registration.daemon;
    const url = `${urlOf(host, port)}/`;
    return answer(
      { url, ui: false },
      `${url}\nThere is no web UI yet; see what happens with: agent-worker peek --follow\n`,
    );
  },
});
