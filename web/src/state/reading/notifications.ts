/** What this browser tells the person while the page is in the background. Stored in this browser only. */
const CHOICES = ["off", "show", "sound"] as const;
export type NotificationChoice = (typeof CHOICES)[number];

const STORAGE_KEY = "agent-worker.notifications";

export function notificationChoice(): NotificationChoice {
  const stored = CHOICES.find((each) => each === localStorage.getItem(STORAGE_KEY)) ?? "off";
  return "Notification" in globalThis && Notification.permission === "granted" ? stored : "off";
}

/** Goes on to the next choice. The browser asks the person before the first notification. Undefined: it does not allow any. */
export async function changeNotifications(): Promise<NotificationChoice | undefined> {
  const next = CHOICES[(CHOICES.indexOf(notificationChoice()) + 1) % CHOICES.length] ?? "off";
  if (next !== "off" && "Notification" in globalThis && Notification.permission === "default") {
    await Notification.requestPermission();
  }
  localStorage.setItem(STORAGE_KEY, next);
  return next !== "off" && notificationChoice() === "off" ? undefined : notificationChoice();
}

/** Says something while nobody looks at the page. The same text is shown once. A click leads to `href`. */
export function notifyPerson(text: string, href: string): void {
  const choice = notificationChoice();
  const isLookedAt = !document.hidden && document.hasFocus();
  if (choice === "off" || isLookedAt) return;
  if (!showNotification(text, href)) return;
  if (choice === "sound") playTone();
}

function showNotification(text: string, href: string): boolean {
  try {
    const shown = new Notification("agent-worker", { body: text, tag: text });
    shown.addEventListener("click", () => {
      globalThis.focus();
      location.hash = href;
      shown.close();
    });
    return true;
  } catch {
    // Browsers of phones have the permission and not the constructor.
    return false;
  }
}

const TONE_HZ = 660;
const TONE_SECONDS = 0.15;

/** A short tone, made here: the page loads no sounds. */
function playTone(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  tone.frequency.value = TONE_HZ;
  tone.connect(context.destination);
  tone.addEventListener("ended", () => void context.close());
  tone.start();
  tone.stop(context.currentTime + TONE_SECONDS);
}
