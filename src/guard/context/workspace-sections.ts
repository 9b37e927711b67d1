import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";
import type { DocumentBeginning, DocumentsInput, PromptInput } from "./prompt-input.ts";
import { textOf } from "./prompt-piece.ts";
import { leftOut } from "./prompt-receipt.ts";
import { allow, GAP, listSection, promptSection, type PromptSection } from "./prompt-section.ts";
import { asData, asLine, section } from "./section-markup.ts";

const DOCUMENTS_SHARE = 2500;
/** A shorter part of a document is useless to the agent. */
const LEAST_TOKENS = 50;

export function documents({ place }: PromptInput, left: number): PromptSection {
  const found = place.kind === "workspace" ? place.documents : null;
  if (found === null || found.files.length === 0) return promptSection("documents", "");
  const allowance = allow(left, DOCUMENTS_SHARE);
  const list = listSection({
    part: "documents",
    tag: "documents",
    attributes: { write: writers(found) },
    items: found.files.map(({ file, bytes }) => ({ name: file, text: `- ${asLine(file)} (${bytes} bytes)` })),
    allowance,
    contiguous: true,
    more: (count) => `(${count} more: team_doc_list)`,
  });
  const shown = [...(found.main === null ? [] : [found.main]), ...(found.chosen ?? [])];
  return shown.reduce((section, document) => withBeginning(section, document, allowance), list);
}

function withBeginning(
  list: PromptSection,
  main: DocumentBeginning,
  { tokens, reason }: ReturnType<typeof allow>,
): PromptSection {
  const { file, beginning, characters } = main;
  const data = asData(beginning);
  const frame = section("document", { file, characters, shown: `first ${characters}; team_doc_read has the rest` }, "");
  const room = tokens - list.tokens - estimateTokens(frame + GAP);
  const shown = cutToTokens(data, room);
  if (room < 0 || (shown.length < data.length && room < LEAST_TOKENS)) {
    return { ...list, leftOut: [...list.leftOut, ...leftOut(reason, [`the text of ${file}`])] };
  }
  const whole = shown.length === data.length && beginning.length === characters;
  const cut = whole ? null : `first ${shown.length}; team_doc_read has the rest`;
  const text = section("document", { file, characters, shown: cut }, shown);
  return promptSection("documents", [textOf(list.pieces), text].filter((part) => part !== "").join("\n"), {
    items: list.items + 1,
    names: list.names,
    leftOut: whole ? list.leftOut : [...list.leftOut, ...leftOut("shortened", [file])],
  });
}

function writers({ owner, electing }: DocumentsInput): string {
  if (electing) return "nobody until an owner is elected";
  return owner === null ? "everyone" : `only ${owner}`;
}
