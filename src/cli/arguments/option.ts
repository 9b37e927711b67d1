/** The options of a command, as data. */
export interface Option {
  readonly about: string;
  /** What it takes, such as "DIR". Without it the option is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** It may be given more than once. */
  readonly many?: true;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** What the options were given: texts of those that may be repeated, a text, or whether a switch is on. */
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
  help: { short: "h", about: "Show how it is used" },
} as const satisfies OptionTable;
