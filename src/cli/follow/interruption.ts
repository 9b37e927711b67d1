/** Ctrl-C as an abort signal. A second Ctrl-C ends the program. */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => {
    process.removeListener("SIGINT", abort);
    process.removeListener("SIGTERM", abort);
    controller.abort(new DOMException("Interrupted.", "AbortError"));
  };
  process.on("SIGINT", abort);
  process.on("SIGTERM", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.removeListener("SIGINT", abort);
      process.removeListener("SIGTERM", abort);
    },
  };
}
