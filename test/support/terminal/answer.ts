import { expect } from "vitest";
import type { PtyScreen } from "./pty-screen.ts";

/** Answers what is asked in the chat until the answer is taken: what came just now is asked once more. */
export async function answer(screen: PtyScreen, key: string, shown: string): Promise<void> {
  screen.press(`${key}\r`);
  await expect
    .poll(
      () => {
        const text = screen.text();
        if (!text.includes(shown) && text.includes("Press Enter again: ")) screen.press("\r");
        return screen.text();
      },
      { timeout: 30_000, interval: 1000 },
    )
    .toContain(shown);
}
