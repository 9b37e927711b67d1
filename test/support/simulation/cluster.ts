import type { Chance } from "./chance.ts";
import type { Execution } from "./loop-script.ts";
import type { Model } from "./model.ts";
import type { SimulatedNode } from "./node-script.ts";

interface Member extends SimulatedNode {
  state: "live" | "hangs" | "dead";
}

/**
 * Several daemons on one store. Each one beats from time to time, and now and then one is killed, hangs for longer than
 * its lease and goes on as if nothing had happened, or leaves; a dead one is started again.
 */
export class Cluster {
  readonly isShared: boolean;
  kills = 0;
  refusedLate = 0;
  takenOver = 0;
  readonly #chance: Chance;
  readonly #model: Model;
  readonly #members: Member[];
  #starts = 0;

  constructor(chance: Chance, model: Model, count: number) {
    this.#chance = chance;
    this.#model = model;
    this.isShared = count > 1;
    this.#members = this.isShared ? Array.from({ length: count }, (_, index) => this.#member(`node-${index + 1}`)) : [];
  }

  start(): readonly SimulatedNode[] {
    return this.#members;
  }

  live(): readonly SimulatedNode[] {
    return this.#members.filter(({ state }) => state === "live");
  }

  /** The instance of a node that works; undefined when none does, or there is only one daemon. */
  any(): string | undefined {
    const live = this.live();
    return live.length === 0 ? undefined : this.#chance.one(live).instance;
  }

  hangs(instance: string): boolean {
    return this.#members.some((each) => each.instance === instance && each.state === "hangs");
  }

  wakeAll(): void {
    for (const member of this.#members) if (member.state === "hangs") member.state = "live";
  }

  beating(): SimulatedNode[] {
    return this.#members.filter(({ state }) => state === "live" && this.#chance.is(0.2));
  }

  /** Draws what happens to the nodes. `killed`: what those were executing that ended. */
  next(running: ReadonlyMap<string, Execution>): {
    readonly killed: readonly Execution[];
    readonly started: readonly SimulatedNode[];
    readonly left: readonly SimulatedNode[];
  } {
    const chance = this.#chance;
    const killed: Execution[] = [];
    const started: SimulatedNode[] = [];
    const left: SimulatedNode[] = [];
    for (const [index, member] of this.#members.entries()) {
      const isLast = this.live().length === 1 && member.state === "live";
      if (member.state === "live" && !isLast && chance.is(0.01)) {
        member.state = "dead";
        this.kills += 1;
        killed.push(...running.values().filter(({ leaseOwner }) => leaseOwner === member.instance));
      } else if (member.state === "live" && !isLast && chance.is(0.02)) member.state = "hangs";
      else if (member.state === "hangs" && chance.is(0.1)) member.state = "live";
      else if (member.state === "dead" && chance.is(0.1)) {
        const again = this.#member(member.name);
        this.#members[index] = again;
        started.push(again);
      } else if (member.state === "live" && !isLast && chance.is(0.003) && this.#isIdle(member, running)) {
        member.state = "dead";
        left.push({ name: member.name, instance: member.instance });
      }
    }
    return { killed, started, left };
  }

  /** A node that stops puts its runs aside first. */
  #isIdle({ instance }: Member, running: ReadonlyMap<string, Execution>): boolean {
    const isKnown = this.#model.nodes.has(instance);
    return isKnown && !running.values().some(({ leaseOwner }) => leaseOwner === instance);
  }

  #member(name: string): Member {
    this.#starts += 1;
    return { name, instance: `own_${name}_${this.#starts}`, state: "live" };
  }
}
