/**
 * Wrong usage, printed with the usage line; exit code 2. With `meant`, the closest existing word is suggested instead of
 * the hint.
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
