import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

/** Feedback of an agent about its work. */
export const feedbackView = z.object({
  id: z.string(),
  agent: z.string(),
  space: z.string(),
  type: z.string(),
  description: z.string(),
  at: z.iso.datetime(),
});

export const listFeedback = declareQuery({
  name: "list-feedback",
  summary: "List what agents said about the work itself, newest first.",
  method: "GET",
  path: "/feedback",
  personTool: "feedback_list",
  input: z.object({ limit: z.int().min(1).max(500).default(50) }),
  output: z.object({ feedback: z.array(feedbackView) }),
});

export const submitFeedback = declareProposal({
  name: "submit-feedback",
  summary: "Tell the people who run this team what is missing, unclear or could be better about the work itself.",
  method: "POST",
  path: "/feedback",
  input: z.object({
    type: z.enum(["bug", "missing", "unclear", "idea"]).describe("What kind of remark it is."),
    description: z.string().trim().min(1, "there is nothing to say").max(8000),
  }),
  output: z.object({ id: z.string() }),
});
