/** For the command line, which does not import engines. */
export { listProviders, type ProviderStatus } from "../engines/sdk/list-providers.ts";
