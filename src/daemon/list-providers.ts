/** For the command line, which must not import engines. */
export { listProviders, type ProviderStatus } from "../engines/sdk/list-providers.ts";
