import { z } from "zod";

/** Fields that the operations on personal context share. */
export const personalAgent = z.string().optional().describe("Whose it is. Agents: leave it out.");

/** Far above the limits of the files, whose refusals name the exact limit. */
export const personalText = z.string().max(1024 * 1024, "the text is too long");
