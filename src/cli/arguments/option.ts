/** An option of a command, as data. */
export interface Option {
  readonly about: string;
  /** Name of its value, such as "DIR". An option without it is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** It may be repeated. */
  readonly many?: true;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The parsed options: all texts of an option that may be repeated, one text, or whether a switch is on. */
export type OptionValues<Options extends OptionTable> = string extends keyof Options
  ? Readonly<Record<string, OptionValue>>
  : {
      readonly [Name in keyof Options]: Options[Name] extends { readonly many: true }
        ? readonly string[]
        : Options[Name] extends { readonly value: string }
          ? string | undefined
          : boolean;
    };

export type OptionValue = string | readonly string[] | boolean | undefined;

export const COMMON_OPTIONS = {
  json: { about: "Print JSON and nothing else" },
  project: { value: "DIR", about: "Work on the project in this folder" },
  trust: { about: "Trust the project as it is, without a question; for scripts" },
  help: { short: "h", about: "Show how it is used" },
} as const satisfies OptionTable;

/** Options that several commands share. */
export const LIMIT = { short: "n", value: "N", about: "At most so many (50)" } as const satisfies Option;
export const EARLIER = {
  value: "N",
  about: "Of an earlier instance of the workspace: 1 is the one before the current",
} as const satisfies Option;
export const EXPECTED_SPACE = {
  value: "TARGET",
  about: "Refused unless it is there: @review",
} as const satisfies Option;
