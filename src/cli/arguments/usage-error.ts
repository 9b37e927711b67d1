/**
 * Wrong usage: told together with the usage line; exit code 2. With `meant`, the likely one of the words that exist is
 * suggested, and the hint only stands in when none is likely.
 */
export class UsageError extends Error {
  readonly hint: string | undefined;
  readonly meant: Meant | undefined;

  constructor(message: string, hint?: string, meant?: Meant) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
    this.meant = meant;
  }
}

interface Meant {
  readonly given: string;
  readonly among: readonly string[];
}
