import type { Plant } from "./world.ts";

/** Mistakes somebody could make, put into the wiring of a simulation: each must be found, and for the right reason. */
export interface PlantedBug {
  readonly name: string;
  readonly plant: Plant;
  /** What the simulation says about it. */
  readonly caught: RegExp;
  /** It needs a longer history than the others. */
  readonly turns?: number;
  /** It is one of several daemons on a store. */
  readonly nodes?: number;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a run that succeeds does not acknowledge",
    plant: (writes) => ({
      ...writes,
      deliveries: {
        ...writes.deliveries,
        advance: async (id, from, to) =>
          (to.state.status === "acked" && to.state.by === "run") || writes.deliveries.advance(id, from, to),
      },
    }),
    caught: /was not moved to acked/,
  },
  {
    name: "the next lease is not the most urgent",
    plant: (writes) => ({
      ...writes,
      deliveries: {
        ...writes.deliveries,
        heads: async (mailbox, now, blocked) => (await writes.deliveries.heads(mailbox, now, blocked)).slice(-1),
      },
    }),
    caught: /is (normal|background), taken when (immediate|normal)/,
  },
  {
    name: "a recipient gets a message twice",
    plant: (writes) => ({
      ...writes,
      deliveries: {
        ...writes.deliveries,
        async add(delivery) {
          await writes.deliveries.add(delivery);
          await writes.deliveries.add({ ...delivery, id: `${delivery.id}x` });
        },
      },
    }),
    caught: /was delivered to \S+ as well/,
  },
  {
    name: "a mentioned agent gets nothing",
    plant: (writes) => ({
      ...writes,
      deliveries: {
        ...writes.deliveries,
        add: async (delivery) => (delivery.mailbox === "ben" ? undefined : writes.deliveries.add(delivery)),
      },
    }),
    caught: /was not delivered to ben/,
  },
  {
    name: "a message that is waited for is answered together with others",
    plant: (writes) => ({
      ...writes,
      deliveries: {
        ...writes.deliveries,
        heads: async (mailbox, now, blocked) =>
          (await writes.deliveries.heads(mailbox, now, blocked)).map((head) => ({ ...head, awaited: false })),
      },
    }),
    caught: /took \S+, not \S+/,
  },
  {
    name: "an event is published before its commit",
    plant: (writes, publish) => ({
      ...writes,
      async appendEvent(event, at) {
        const recorded = await writes.appendEvent(event, at);
        publish(recorded);
        return recorded;
      },
    }),
    caught: /was published before its commit/,
  },
  {
    name: "a finished step is forgotten when a run is resumed",
    plant: (writes) => ({
      ...writes,
      runs: {
        ...writes.runs,
        async lastStep(run) {
          const step = await writes.runs.lastStep(run);
          return step === undefined ? undefined : { ...step, number: step.number - 1 };
        },
      },
    }),
    caught: /goes on after step \d+, it had finished \d+/,
  },
  {
    name: "a chain of messages is never charged",
    plant: (writes) => ({ ...writes, causal: { ...writes.causal, save: async () => {} } }),
    caught: /the stop of \S+ was announced 0 times|was not charged/,
  },
  {
    name: "a reply is posted twice",
    plant: (writes) => ({
      ...writes,
      messages: {
        ...writes.messages,
        async append(message, key) {
          if (message.run !== null) await writes.messages.append({ ...message, id: `${message.id}x` }, null);
          return writes.messages.append(message, key);
        },
      },
    }),
    caught: /unexpected writes: \{"messages":\[\{/,
  },
  {
    name: "voters are reminded again and again",
    plant: (writes) => ({ ...writes, ballots: { ...writes.ballots, markReminded: async () => {} } }),
    caught: /ballots were reminded of, \d+ were due/,
    turns: 1_000,
  },
  {
    name: "a node takes over from one that is there",
    plant: (writes) => ({
      ...writes,
      nodes: {
        ...writes.nodes,
        list: async () => (await writes.nodes.list()).map((node) => ({ ...node, beatAt: node.beatAt - 60_000 })),
      },
    }),
    caught: /\d+ runs were recovered, \d+ were left/,
    nodes: 3,
  },
  {
    name: "a run that was taken over keeps its fence",
    plant: (writes) => ({
      ...writes,
      runs: {
        ...writes.runs,
        byId: async (id) => {
          const run = await writes.runs.byId(id);
          return run?.state === "open" ? { ...run, fence: 1 } : run;
        },
      },
    }),
    caught: /not refused with lease_lost|refused: .*lease_lost|was not kept/,
    nodes: 3,
  },
  {
    name: "two nodes have a run of one mailbox",
    plant: (writes) => ({ ...writes, runs: { ...writes.runs, openOf: async () => undefined } }),
    caught: /is busy with undefined|UNIQUE constraint failed/,
    nodes: 3,
  },
];
