import { z } from "zod";
import { sendMessage as declared } from "../contract/messages.ts";
import { SERVE_WAIT_LIMIT_MS } from "../contract/service/work-request.ts";
import { ok } from "../kernel/result.ts";
import { sendMessage } from "../operations/messages/send-message.ts";
import { teamTool, type TeamTool } from "../operations/tools/team-tool.ts";
import { executeRequest } from "../runtime/requests/execute-request.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { plainWords } from "./plain-words.ts";

export const SEND = "send";

/** The operation `send-message`; with `wait` it comes back with the answer instead of the receipt. */
export function sendTool(project: RunningProject, signal: AbortSignal): TeamTool {
  return teamTool({
    name: SEND,
    description: `${declared.summary} With wait: true it comes back with the answer.`,
    input: { ...declared.input.shape, wait: z.boolean().default(false).describe("Wait for the answer.") },
    uses: [sendMessage],
    async call({ wait, ...message }, ask) {
      const { to } = message;
      if (!wait || to === undefined) return ask(sendMessage, message, plainWords);
      const request = { ...message, to, waitLimitMs: SERVE_WAIT_LIMIT_MS };
      const result = await executeRequest(project, request, () => {}, signal);
      if (!result.ok) return result;
      const { type: _, ...data } = result.value;
      return ok({ text: plainWords(data), data });
    },
  });
}
