import type { Client } from "../../client/client.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { ConsentOptions } from "./obtain-consent.ts";

/**
 * Returns the client, with one difference: what is refused because nobody trusted the project is tried again after the
 * person was asked. What asks is loaded only then, because most commands never need it.
 */
export function withConsent(client: Client, options: ConsentOptions): Client {
  const obtain = async (): Promise<boolean> => {
    const { obtainConsent } = await import("./obtain-consent.ts");
    return obtainConsent(client, options);
  };
  return {
    get daemonVersion() {
      return client.daemonVersion;
    },
    async call(operation, input) {
      const result = await client.call(operation, input);
      return isUntrusted(result) && (await obtain()) ? client.call(operation, input) : result;
    },
    async propose(name, input) {
      const result = await client.propose(name, input);
      return isUntrusted(result) && (await obtain()) ? client.propose(name, input) : result;
    },
    async *run(request, signal) {
      let asks = true;
      for await (const event of client.run(request, signal)) {
        if (asks && event.type === "error" && event.code === "untrusted" && (await obtain())) {
          yield* client.run(request, signal);
          return;
        }
        asks = false;
        yield event;
      }
    },
    async serve(request, signal) {
      const result = await client.serve(request, signal);
      return isUntrusted(result) && (await obtain()) ? client.serve(request, signal) : result;
    },
    events: (eventOptions) => client.events(eventOptions),
    watch: (watchOptions) => client.watch(watchOptions),
    stopAgent: (name) => client.stopAgent(name),
    health: () => client.health(),
    openPage: () => client.openPage(),
    pairPage: () => client.pairPage(),
    listPageSessions: () => client.listPageSessions(),
    endPageSession: (id) => client.endPageSession(id),
    goOn: () => client.goOn(),
    shutdown: () => client.shutdown(),
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

function isUntrusted(result: Result<unknown, Refusal>): boolean {
  return !result.ok && result.error.code === "untrusted";
}
