import type { TrustView } from "../../contract/trust.ts";

/** True for a folder without definitions: it can do nothing by itself. */
export function hasNothingToShow({ kind, abilities, facts }: TrustView): boolean {
  return kind === "unknown" && abilities.length === 0 && facts.length === 0;
}

/** Says in plain words what a project can do: everything, or only what the person has not allowed yet. */
export function trustText(view: TrustView, which: "everything" | "unseen"): string {
  const { kind, abilities, facts } = view;
  // A project that rests as a whole does nothing until the person says yes to all of it.
  const shown = which === "everything" || kind !== "trusted" ? abilities : abilities.filter(({ seen }) => !seen);
  const lines = [heading(view)];
  for (const [who, theirs] of Map.groupBy(shown, (ability) => ability.who)) {
    lines.push(`  ${who} can`);
    for (const { text, seen } of theirs) lines.push(`    ${seen || kind !== "trusted" ? "-" : "+"} ${oneLine(text)}`);
  }
  if (shown.length === 0 && kind !== "trusted")
    lines.push("  It starts no program and sends nothing to a server of its own.");
  if (which === "everything" || kind !== "trusted") lines.push(...facts.map((fact) => `  ${oneLine(fact)}`));
  return `${lines.join("\n")}\n`;
}

function heading({ kind, always, abilities }: TrustView): string {
  if (kind === "unknown") return "This project is not trusted on this machine. With your rights, it could do this:";
  if (kind === "foreign-store") {
    return "The database of this project was not made on this machine. Trusted, it goes on with what is in it, and can do this:";
  }
  if (always) return "This project is trusted, whatever changes in it. It can do this:";
  const changed = abilities.some(({ seen }) => !seen);
  return changed ? "This project was trusted, and can do more now (+):" : "This project is trusted. It can do this:";
}

function oneLine(text: string): string {
  return text.replaceAll("\n", "\n      ");
}
