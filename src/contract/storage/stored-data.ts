import { z } from "zod";
import { declareProposal } from "../operation.ts";

export const reopenStore = declareProposal({
  name: "reopen-store",
  summary: "Open the database that is there now, or an empty one, after the one in use was deleted, moved or replaced.",
  method: "POST",
  path: "/store/reopen",
  input: z.object({}),
  output: z.object({ begins: z.enum(["empty", "as found"]) }),
});
