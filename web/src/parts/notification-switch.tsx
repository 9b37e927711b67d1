import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { changeNotifications, notificationChoice, type NotificationChoice } from "../state/reading/notifications.ts";

const LABELS: Readonly<Record<NotificationChoice, string>> = {
  off: "Notify: off",
  show: "Notify: on",
  sound: "Notify: with sound",
};

const NOT_ALLOWED =
  "This browser does not allow notifications of this page. Allow them in its settings for this address.";

/** Says whether this browser tells the person of mentions and of what waits for a decision. Off at first. */
export function NotificationSwitch() {
  const { notify } = usePage();
  const [choice, setChoice] = useState(notificationChoice);
  const change = async (): Promise<void> => {
    const changed = await changeNotifications();
    setChoice(changed ?? "off");
    if (changed === undefined) notify(NOT_ALLOWED, "bad");
  };
  return (
    <button
      type="button"
      class="link dim"
      title="Desktop notifications about mentions of you and about decisions that wait for you"
      onClick={() => void change()}
    >
      {LABELS[choice]}
    </button>
  );
}
