import type { AnswerMcp } from "./mcp-request.ts";

/**
 * Answers everything at `/mcp`. What does it is loaded with the first request: the protocol's library takes longer to
 * load than all the rest of the daemon, and a daemon must be there at once.
 */
export function createMcpHandler(): AnswerMcp {
  let loaded: Promise<AnswerMcp> | undefined;
  return async (exchange) => {
    loaded ??= import("./answer-mcp.ts").then(({ createAnswerMcp }) => createAnswerMcp());
    return (await loaded)(exchange);
  };
}
