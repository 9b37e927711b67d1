/**
 * What is promised and not built yet, by the part of the product that will bring it. A requirement leaves this list in
 * the same change that brings the test citing it; nothing that is built is ever put back.
 */
export type Part = "documents" | "runtime" | "daemon" | "engines" | "guard" | "ui";

export const open: Readonly<Record<string, Part>> = {
  "memory.tiers": "guard",
  "memory.store": "guard",
  "memory.recall": "guard",
  "memory.forget": "guard",
  "memory.gate": "guard",
  "memory.provenance": "guard",
  "memory.visibility": "guard",
  "memory.index-derived": "guard",
  "memory.archive": "guard",
  "memory.ask": "guard",
  "memory.ask-audit": "guard",
  "memory.search-cli": "guard",
  "memory.tools-note-todo": "guard",
  "guard.assemble": "guard",
  "guard.receipt": "guard",
  "guard.pull": "guard",
  "guard.no-model": "guard",
  "guard.injection": "guard",
  "ui.served": "ui",
  "ui.channel-live": "ui",
  "ui.agents": "ui",
  "ui.decisions": "ui",
  "ui.runs": "ui",
  "ui.token": "ui",
  "ui.hostile-text": "ui",
};
