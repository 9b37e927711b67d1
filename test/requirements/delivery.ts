import type { Requirement } from "./requirement.ts";

/** What becomes of a delivery: states, lanes, retries, and the causal budget of the chain it belongs to. */
export const delivery: readonly Requirement[] = [
  {
    id: "delivery.one-per-recipient",
    source: ["004", "product"],
    behaviour: "A message creates exactly one delivery for each recipient and none for anyone else.",
    faces: ["store"],
  },
  {
    id: "delivery.receipt",
    source: ["product", "surface"],
    behaviour: "A send answers the message id, its recipients and the lane of each.",
    faces: ["store"],
  },
  {
    id: "delivery.transitions",
    source: ["architecture", "product"],
    behaviour:
      "A delivery moves only along the written table of pending, leased, acked and dead; every other move is refused.",
    faces: ["domain"],
  },
  {
    id: "delivery.inbox",
    source: ["001", "002", "004", "product"],
    behaviour:
      "The inbox of an agent is its unsettled deliveries, urgent ones first and then in order of arrival, and no one else's.",
    faces: ["store"],
  },
  {
    id: "delivery.inbox-indexed",
    source: ["004", "architecture"],
    behaviour: "The inbox query uses an index and never scans messages, however many there are.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-by-id",
    source: ["001", "004", "surface"],
    behaviour: "Acknowledging names delivery ids, and exactly those leave the inbox.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-unknown",
    source: ["architecture", "traps"],
    behaviour: "Acknowledging an id that does not exist is refused and changes nothing.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-foreign",
    source: ["architecture", "traps"],
    behaviour: "Acknowledging another agent's delivery is refused and changes nothing.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-again",
    source: ["architecture", "product"],
    behaviour: "Acknowledging a delivery twice changes nothing the second time.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-concurrent",
    source: ["004", "traps"],
    behaviour: "Acks made at the same time by several agents never undo or swallow each other.",
    faces: ["store"],
  },
  {
    id: "delivery.not-swallowed",
    source: ["architecture", "traps"],
    behaviour: "A message that arrives while others are leased stays pending when those are acked.",
    faces: ["store"],
  },
  {
    id: "delivery.lease-best",
    source: ["000", "architecture"],
    behaviour: "The next delivery leased is the one of the most urgent lane, and the oldest within it.",
    faces: ["store"],
  },
  {
    id: "delivery.lease-siblings",
    source: ["architecture"],
    behaviour: "Leasing a delivery takes along the agent's other due deliveries of the same workspace and of no other.",
    faces: ["store"],
  },
  {
    id: "delivery.lease-holder",
    source: ["architecture"],
    behaviour: "A lease names its leaseOwner, and a leaseOwner that lost its lease can no longer settle it.",
    faces: ["store"],
  },
  {
    id: "run.one-open",
    source: ["architecture"],
    behaviour:
      "A mailbox has one open run at most in the whole store; a second claim finds it busy and leases nothing.",
    faces: ["store"],
  },
  {
    id: "run.fence",
    source: ["architecture"],
    behaviour:
      "Every operation of a run names the number of its claim, and is refused without any effect when the run was taken over, put aside or ended.",
    faces: ["store", "mcp"],
  },
  {
    id: "delivery.release-redelivers",
    source: ["001", "004"],
    behaviour: "A lease that ends without success puts the delivery back to pending, with one more attempt counted.",
    faces: ["store"],
  },
  {
    id: "delivery.not-before",
    source: ["architecture"],
    behaviour: "A delivery that waits for a retry is not leased before its time and is leased after it.",
    faces: ["store"],
  },
  {
    id: "delivery.inline-separate",
    source: ["000"],
    behaviour: "Inline agents of the same name in two workspaces never get each other's deliveries.",
    faces: ["domain", "store"],
  },
  {
    id: "delivery.before-start",
    source: ["product", "traps"],
    behaviour: "Messages accepted before an agent's loop or the daemon starts are still pending when it does.",
    faces: ["store"],
  },
  {
    id: "delivery.same-millisecond",
    source: ["architecture", "traps"],
    behaviour: "Messages accepted in the same millisecond are all delivered, in their order.",
    faces: ["store"],
  },
  {
    id: "delivery.settle-atomic",
    source: ["architecture", "product"],
    behaviour: "A reply and the acks of what it answers are committed together or not at all.",
    faces: ["store"],
  },
  {
    id: "delivery.settle-once",
    source: ["product"],
    behaviour: "Settling the same run twice posts one reply.",
    faces: ["store"],
  },
  {
    id: "delivery.ack-on-success",
    source: ["001", "002", "004"],
    behaviour: "Deliveries are acked by the run that succeeded with them and stay unacked when it fails or crashes.",
    faces: ["store"],
  },
  {
    id: "delivery.dead-last-retry",
    source: ["architecture", "product"],
    behaviour:
      "After the last allowed attempt a delivery becomes dead and is never acked quietly, as one seed would have it.",
    faces: ["store"],
  },
  {
    id: "delivery.dead-notice",
    source: ["product"],
    behaviour:
      "A delivery that dies posts a notice from the system for the sender, which names the message and the reason; an agent that sent it gets it as background work, and a notice never causes another.",
    faces: ["store"],
  },
  {
    id: "delivery.dead-list",
    source: ["surface"],
    behaviour: "Dead letters are listed with their message, recipient, attempts and last error.",
    faces: ["store"],
  },
  {
    id: "delivery.dead-retry",
    source: ["surface"],
    behaviour: "Retrying a dead letter makes it pending again with fresh attempts.",
    faces: ["store"],
  },
  {
    id: "delivery.dead-drop",
    source: ["surface"],
    behaviour: "Dropping a dead letter settles it for good and keeps the message in the channel.",
    faces: ["store"],
  },
  {
    id: "lane.order",
    source: ["000", "surface"],
    behaviour: "Immediate work goes before normal work, and normal before background.",
    faces: ["domain"],
  },
  {
    id: "lane.fifo",
    source: ["000"],
    behaviour: "Deliveries of one lane are taken in the order of their messages.",
    faces: ["domain", "store"],
  },
  {
    id: "lane.preempt-decision",
    source: ["000", "architecture"],
    behaviour: "Between two steps a run yields exactly when a delivery of a more urgent lane is due.",
    faces: ["domain"],
  },
  {
    id: "lane.age-preempted",
    source: ["000", "architecture"],
    behaviour: "A delivery preempted three times is promoted by one lane.",
    faces: ["domain"],
  },
  {
    id: "lane.age-waiting",
    source: ["000", "architecture"],
    behaviour: "A delivery that waited five minutes is promoted by one lane.",
    faces: ["domain"],
  },
  {
    id: "lane.age-bound",
    source: ["architecture"],
    behaviour: "Promotion never goes beyond the immediate lane, and any delivery reaches it in bounded time.",
    faces: ["domain"],
  },
  {
    id: "retry.classify",
    source: ["architecture"],
    behaviour: "Every failure is of one class: transient, quota, permanent or crash, an unknown one being transient.",
    faces: ["domain"],
  },
  {
    id: "retry.transient-backoff",
    source: ["001", "002", "004", "architecture"],
    behaviour: "Transient failures are retried after exponentially growing delays up to a cap.",
    faces: ["domain"],
  },
  {
    id: "retry.jitter",
    source: ["architecture", "proof"],
    behaviour: "Retry delays are jittered within written bounds and are the same for the same random seed.",
    faces: ["domain"],
  },
  {
    id: "retry.after",
    source: ["proof"],
    behaviour: "A delay asked for by the provider is honoured when it is longer than our own.",
    faces: ["domain"],
  },
  {
    id: "retry.quota-parks",
    source: ["architecture"],
    behaviour: "A quota failure waits until the reset time and costs no attempt.",
    faces: ["domain"],
  },
  {
    id: "retry.permanent",
    source: ["architecture", "traps"],
    behaviour: "A permanent failure such as a bad key, an unknown model or a missing binary is not retried.",
    faces: ["domain"],
  },
  {
    id: "retry.crash-once",
    source: ["architecture"],
    behaviour: "A crashed run is tried once more from its checkpoint and then given up.",
    faces: ["domain"],
  },
  {
    id: "retry.exhausted",
    source: ["001", "product"],
    behaviour: "When the attempts are used up the decision is the dead letter.",
    faces: ["domain"],
  },
  {
    id: "causal.root",
    source: ["architecture"],
    behaviour: "A message that nothing caused is its own root at depth zero.",
    faces: ["domain", "store"],
  },
  {
    id: "causal.child",
    source: ["architecture"],
    behaviour: "A message caused by another carries the same root, names its cause and is one deeper.",
    faces: ["domain", "store"],
  },
  {
    id: "causal.hops",
    source: ["product"],
    behaviour: "A chain that used up its hops gets no further delivery.",
    faces: ["domain"],
  },
  {
    id: "causal.turns",
    source: ["product"],
    behaviour: "A chain that used up its runs gets no further delivery.",
    faces: ["domain"],
  },
  {
    id: "causal.tokens",
    source: ["product"],
    behaviour: "A chain that used up its tokens gets no further delivery.",
    faces: ["domain"],
  },
  {
    id: "causal.charged-at-send",
    source: ["architecture"],
    behaviour: "The budget of a chain is charged in the transaction that accepts the message.",
    faces: ["store"],
  },
  {
    id: "causal.ping-pong",
    source: ["product", "traps"],
    behaviour:
      "The breaker opens on agents that only answer each other back and forth, before the whole budget is gone.",
    faces: ["domain"],
  },
  {
    id: "causal.breaker-notice",
    source: ["product"],
    behaviour: "When the breaker opens, the system says why in the channel, once and without mentioning anyone.",
    faces: ["store"],
  },
  {
    id: "causal.breaker-person",
    source: ["product"],
    behaviour: "A stopped chain stays stopped until a person speaks; the message of a person starts a fresh budget.",
    faces: ["store"],
  },
];
