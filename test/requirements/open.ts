/**
 * What is promised and not built yet, by the part of the product that will bring it. A requirement leaves this list in
 * the same change that brings the test citing it; nothing that is built is ever put back.
 */
export type Part = "documents" | "runtime" | "daemon" | "engines" | "guard";

export const open: Readonly<Record<string, Part>> = {};
