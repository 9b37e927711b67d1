import type { NewDelivery } from "../../../ports/store/delivery.ts";
import type { Store } from "../../../ports/store/store.ts";
import { delivery, message, write } from "../records.ts";

/** Adds a delivery, with a message of its own. */
export function addDelivery(store: Store, id: string, fields: Partial<NewDelivery> = {}): Promise<void> {
  return write(store, async ({ messages, deliveries }) => {
    const seq = await messages.append(
      message(`msg_of_${id}`, fields.space === undefined ? {} : { space: fields.space }),
      null,
    );
    await deliveries.add(delivery(id, seq, fields));
  });
}
