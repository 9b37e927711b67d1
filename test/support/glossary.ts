/** A row of the glossary. */
export interface GlossaryWord {
  readonly word: string;
  readonly avoid: readonly string[];
}

/** The tables of CONTEXT.md, by their headers. */
export interface Glossary {
  readonly words: readonly GlossaryWord[];
  /** Words that the glossary avoids for one thing and uses for another. */
  readonly rightElsewhere: readonly string[];
  readonly nouns: readonly GlossaryWord[];
  readonly retired: readonly string[];
}

export function glossary(markdown: string): Glossary {
  const withAvoid = ([word = "", , avoid = ""]: readonly string[]): GlossaryWord => ({ word, avoid: listIn(avoid) });
  return {
    words: table(markdown, "| word | what it is | avoid |").map(withAvoid),
    rightElsewhere: table(markdown, "| word | is right for |").map(([word = ""]) => word),
    nouns: table(markdown, "| noun | a type with this ending is | avoid |").map(withAvoid),
    retired: table(markdown, "| retired | say |").flatMap(([words = ""]) => listIn(words)),
  };
}

/** The rows under a header, as cells. */
function table(markdown: string, header: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  const start = lines.indexOf(header);
  if (start === -1) throw new Error(`CONTEXT.md has no table with the header "${header}".`);
  const after = lines.slice(start + 2);
  const end = after.findIndex((line) => !line.startsWith("|"));
  return after.slice(0, end === -1 ? undefined : end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function listIn(cell: string): readonly string[] {
  return cell
    .replaceAll(/\([^)]*\)/g, "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "" && word !== "-");
}
