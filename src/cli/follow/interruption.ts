/** Ctrl-C, as a signal that work can be told to stop by. A second Ctrl-C ends the program as usual. */
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
