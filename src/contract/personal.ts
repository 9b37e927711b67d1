import { z } from "zod";

/** The agent whose personal context an operation is about. */
export const personalAgent = z.string().optional().describe("Whose it is. Agents: leave it out.");

/** The limit is far above those of the files, whose refusals name the exact limit. */
export const personalText = z.string().max(1024 * 1024, "the text is too long");
