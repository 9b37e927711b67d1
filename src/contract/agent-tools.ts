import { z } from "zod";

/** What an agent can do, as every face shows it. */
export const agentToolsView = z.object({
  agent: z.string(),
  /** Where: its own name for direct messages, `@review:main` for a workspace. */
  space: z.string(),
  backend: z.string(),
  tools: z.array(
    z.object({ name: z.string(), source: z.enum(["team", "shell", "skills"]), description: z.string().nullable() }),
  ),
  /** Servers of the agent's own; what they offer is known only when it runs. */
  mcpServers: z.array(z.string()),
  /** Its model runs in a program that has tools of its own besides these. */
  ownProgram: z.boolean(),
});
