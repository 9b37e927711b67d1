/**
 * The providers of the sdk engine. Their packages are imported in the worker when an agent first uses them; `providers
 * add` installs those that the program does not bring. The order is that in which `model: auto` looks for a key; `defaultModel` is the model it then uses, also with a
 * provider named.
 */
export interface ProviderRow {
  readonly name: string;
  readonly package: string;
  /** The versions that work with this program. Absent: the package is part of the program. */
  readonly version?: string;
  readonly factory: string;
  /** Variables that may hold the key; the first that is set is used. */
  readonly keyVariables: readonly string[];
  /** A variable in which a person may set another address, as the provider's own tools do. */
  readonly baseUrlVariable?: string;
  readonly defaultModel?: string;
  /** Its models have slashes in their names, so "openai/gpt-oss" is one of its models and not another provider. */
  readonly modelsHaveSlashes?: boolean;
  /** Has no default address, and needs no key unless the agent names one. */
  readonly needsBaseUrl?: boolean;
}

export const PROVIDERS: readonly ProviderRow[] = [
  {
    name: "anthropic",
    package: "@ai-sdk/anthropic",
    factory: "createAnthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    defaultModel: "claude-sonnet-5-5",
  },
  {
    name: "openai",
    package: "@ai-sdk/openai",
    factory: "createOpenAI",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    defaultModel: "gpt-5.6",
  },
  {
    name: "google",
    package: "@ai-sdk/google",
    factory: "createGoogle",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    defaultModel: "gemini-pro-latest",
  },
  {
    name: "deepseek",
    package: "@ai-sdk/deepseek",
    version: "^3",
    factory: "createDeepSeek",
    keyVariables: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-chat",
  },
  {
    name: "groq",
    package: "@ai-sdk/groq",
    version: "^4",
    factory: "createGroq",
    keyVariables: ["GROQ_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
    modelsHaveSlashes: true,
  },
  {
    name: "mistral",
    package: "@ai-sdk/mistral",
    version: "^4",
    factory: "createMistral",
    keyVariables: ["MISTRAL_API_KEY"],
    defaultModel: "mistral-large-latest",
  },
  {
    name: "xai",
    package: "@ai-sdk/xai",
    version: "^5",
    factory: "createXai",
    keyVariables: ["XAI_API_KEY"],
    defaultModel: "grok-4",
  },
  {
    name: "gateway",
    package: "ai",
    factory: "createGateway",
    keyVariables: ["AI_GATEWAY_API_KEY"],
    defaultModel: "anthropic/claude-sonnet-5.5",
    modelsHaveSlashes: true,
  },
  {
    name: "openai-compatible",
    package: "@ai-sdk/openai-compatible",
    factory: "createOpenAICompatible",
    keyVariables: [],
    modelsHaveSlashes: true,
    needsBaseUrl: true,
  },
];

export function findProvider(name: string): ProviderRow | undefined {
  return PROVIDERS.find((row) => row.name === name);
}

/** Returns the command that installs the package of a provider. */
export function addCommand(provider: string): string {
  return `agent-worker providers add ${provider}`;
}
