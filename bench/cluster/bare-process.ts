import { BareStore } from "./bare-store.ts";

/** A process that does turns with nothing but statements: URL, how many at once, how long each takes. */
const [url = "", capacity = "2", stepMs = "50"] = process.argv.slice(2);
const store = await BareStore.open(url);
let working = 0;
let isLooking = false;

async function look(): Promise<void> {
  if (isLooking) return;
  isLooking = true;
  while (working < Number(capacity)) {
    const delivery = await store.claim();
    if (delivery === undefined) break;
    working += 1;
    void answer(delivery);
  }
  isLooking = false;
}

async function answer(delivery: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Number(stepMs)));
  await store.step(delivery);
  await store.settle(delivery);
  working -= 1;
  await look();
}

await store.listen(() => void look());
console.log("ready");
