import { z } from "zod";

/** Fields that the operations on the personal context of an agent share. */
export const personalAgent = z.string().optional().describe("Whose it is. Agents: leave it out.");

/** Far above every limit of the files, which refuse with the exact limit. */
export const personalText = z.string().max(1024 * 1024, "the text is too long");
