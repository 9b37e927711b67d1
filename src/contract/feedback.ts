import { z } from "zod";

/** What agents say about the work itself, as every face shows it. */
export const feedbackView = z.object({
  id: z.string(),
  agent: z.string(),
  space: z.string(),
  type: z.string(),
  description: z.string(),
  at: z.iso.datetime(),
});
