/** What a test's environment says about models on this machine: nobody listens there, whatever the machine has. */
export const NO_LOCAL_MODELS = { OLLAMA_HOST: "127.0.0.1:1", LMSTUDIO_HOST: "127.0.0.1:1" };
