import { tokenWeight } from "./estimate-tokens.ts";

/**
 * A piece of the text of a prompt; the prompt is all of them, one after another. A shared piece is in other prompts as well,
 * so what is found out about it is kept: its tokens, whether it has a secret, where it is stored.
 */
export interface PromptPiece {
  readonly text: string;
  readonly weight: number;
  readonly shared: boolean;
}

export function promptPiece(text: string): PromptPiece {
  return { text, weight: tokenWeight(text), shared: false };
}

/** A text that other prompts probably have as well. A short one costs more to find than to repeat. */
export function sharedPiece(text: string): PromptPiece {
  return { ...promptPiece(text), shared: text.length >= LEAST_SHARED };
}

const LEAST_SHARED = 500;

export function textOf(pieces: readonly PromptPiece[]): string {
  return pieces.map(({ text }) => text).join("");
}

export function weightOf(pieces: readonly PromptPiece[]): number {
  return pieces.reduce((sum, { weight }) => sum + weight, 0);
}
