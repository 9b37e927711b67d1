/**
 * Notices when elements move in the window, whatever the cause: something above them appears, grows or goes away, or the
 * window changes its size. Scrolling is not noticed, because the person does it.
 */
interface Watched {
  x: number;
  y: number;
  readonly onMoved: () => void;
}

const watched = new Map<Element, Watched>();
/** Positions are not whole numbers. */
const TOLERANCE_PX = 1;

/** Calls `onMoved` before the next click can arrive, until the returned function is called. */
export function watchPosition(element: Element, onMoved: () => void): () => void {
  if (watched.size === 0) start();
  watched.set(element, { ...positionOf(element), onMoved });
  return () => {
    watched.delete(element);
    if (watched.size === 0) stop();
  };
}

const changes = typeof MutationObserver === "undefined" ? undefined : new MutationObserver(compare);

function start(): void {
  // The callback is a microtask: it runs after the change and before any other event.
  changes?.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("resize", compare);
  document.addEventListener("scroll", remember, { capture: true, passive: true });
}

function stop(): void {
  changes?.disconnect();
  removeEventListener("resize", compare);
  document.removeEventListener("scroll", remember, { capture: true });
}

function compare(): void {
  for (const [element, last] of watched) {
    const { x, y } = positionOf(element);
    const moved = Math.abs(x - last.x) > TOLERANCE_PX || Math.abs(y - last.y) > TOLERANCE_PX;
    Object.assign(last, { x, y });
    if (moved) last.onMoved();
  }
}

function remember(): void {
  for (const [element, last] of watched) Object.assign(last, positionOf(element));
}

function positionOf(element: Element): { readonly x: number; readonly y: number } {
  const { x, y } = element.getBoundingClientRect();
  return { x, y };
}
