import type { AnswerMcp, McpExchange } from "./mcp-request.ts";
import { answerByLibrary } from "./library-answer.ts";
import { listen } from "./listening.ts";
import { respondOnFastPath } from "./fast-path/fast-path-response.ts";
import { readFastPathRequest } from "./fast-path/fast-path-request.ts";
import { servedTools } from "./served-tools.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** Requests that are still open: those that listen stay so for long. */
const MOST_OPEN = 1000;

/**
 * Answers clients of both eras of the protocol. There are no sessions and nothing two clients share: a request is
 * answered from what its token opens, and every server object lives as long as one request. Plain calls of tools, which
 * nearly all requests are, are answered directly; the official library answers the rest.
 */
export function createAnswerMcp(): AnswerMcp {
  const subscriptions = createSubscriptions();
  let open = 0;
  return async (exchange) => {
    const { request, body } = exchange;
    const tools = servedTools(exchange);
    const plain = request.method === "POST" ? readFastPathRequest(request.headers, body) : undefined;
    const takesLong = plain?.ask.method === "tools/call" && tools.takesLong(plain.ask.name);
    if (plain !== undefined && !takesLong) return respondOnFastPath(exchange, tools, plain);
    open += 1;
    try {
      if (isListening(exchange) && open <= MOST_OPEN) await listen(exchange, subscriptions);
      else await answerByLibrary(exchange, subscriptions, { mayListen: open <= MOST_OPEN, takesLong });
    } finally {
      open -= 1;
      // A stream that the closing server ended leaves a connection nobody will use again.
      if (exchange.closing.aborted) request.socket.end();
    }
  };
}

function isListening({ request: { method, headers } }: McpExchange): boolean {
  return method === "GET" && headers.accept?.includes("text/event-stream") === true;
}
