import { useState } from "preact/hooks";
import { changeNotifications, notificationChoice, type NotificationChoice } from "../state/reading/notifications.ts";

const LABELS: Readonly<Record<NotificationChoice, string>> = {
  off: "Notify: off",
  show: "Notify: on",
  sound: "Notify: with sound",
};

/** Says whether this browser tells the person of mentions and of what waits for a decision. Off at first. */
export function NotificationSwitch() {
  const [choice, setChoice] = useState(notificationChoice);
  return (
    <button
      type="button"
      class="link dim"
      title="Desktop notifications about mentions of you and about decisions that wait for you"
      onClick={() => void changeNotifications().then(setChoice)}
    >
      {LABELS[choice]}
    </button>
  );
}
