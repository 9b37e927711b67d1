import { z } from "zod";

/** Whose context is meant: see `personal-owner.ts`. */
export const personalAgent = z.string().optional().describe("Whose it is. Agents: leave it out.");

/** Far above every limit of the files; they say the exact one. */
export const personalText = z.string().max(1024 * 1024, "the text is too long");
