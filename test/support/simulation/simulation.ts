import { createHash } from "node:crypto";
import { seededRandom } from "../../../src/kernel/random.ts";
import { must } from "./broken.ts";
import { MAILBOXES } from "./cast.ts";
import { createChance, type Chance } from "./chance.ts";
import { drawFaultPlan, type FaultPlan } from "./fault-plan.ts";
import { checkAtRest, checkEverything } from "./full-check.ts";
import { begin, goOn, haunt, type Execution, type Script } from "./loop-script.ts";
import { Model } from "./model.ts";
import { expire, PersonScript, recover, remind } from "./person-script.ts";
import { Cluster } from "./cluster.ts";
import { beat, isLost, join, leave, LEASE_MS, underClaim } from "./node-script.ts";
import { OperationTypes, type Action, type Fate, type Plant } from "./world.ts";

/**
 * One history of a team, from one seed: persons write, loops take work, engines take steps and fail, the process dies
 * and comes back, time passes and jumps. Every call is predicted by the model and compared; at the end everything is
 * drained and the whole store is compared. Nothing here depends on anything but the seed.
 */
export interface SimulationOptions {
  readonly seed: number;
  /** Executions of runs after which the team is left to finish. */
  readonly turns: number;
  readonly placement?: FaultPlan["placement"];
  readonly plant?: Plant;
  /** How many daemons share the store. More than one: each is killed, hangs beyond its lease, and comes back. */
  readonly nodes?: number;
}

export interface SimulationReport {
  readonly turns: number;
  readonly crashes: number;
  /** Calls of executions whose run another node had taken over: each was refused. */
  readonly refusedLate: number;
  readonly takenOver: number;
  readonly calls: number;
  readonly messages: number;
  readonly deliveries: number;
  readonly plan: FaultPlan;
  /** Hash of everything that happened, in order. */
  readonly history: string;
}

/** Rejects with the seed, the broken invariant and the calls that led to it. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const simulation = new Simulation(options);
  await using _world = simulation.world;
  try {
    return await simulation.run(options.turns);
  } catch (error) {
    throw new Error(simulation.tell(options.seed, error), { cause: error });
  }
}

const LAST_LINES = 30;
const HOUR = 3_600_000;
/** Of the deaths on a store in memory, this share is followed by a look at everything. */
const LOOKS_AFTER_DEATH = 0.01;

class Simulation {
  readonly world: OperationTypes;
  readonly #plan: FaultPlan;
  readonly #chance: Chance;
  readonly #model: Model;
  readonly #script: Script;
  readonly #person: PersonScript;
  readonly #hash = createHash("sha256");
  readonly #last: string[] = [];
  #attempted: readonly Action[] = [];
  readonly #woken = new Set<string>();
  readonly #running = new Map<string, Execution>();
  /** Executions of lives that are over. */
  #ghosts: Execution[] = [];
  readonly #cluster: Cluster;
  #draining = false;
  #turns = 0;
  #crashes = 0;
  #calls = 0;

  constructor(options: SimulationOptions) {
    const random = seededRandom(options.seed);
    this.#chance = createChance(random);
    this.#plan = drawFaultPlan(random, options.placement ?? "memory");
    this.#model = new Model(this.#plan.limits);
    this.#person = new PersonScript(this.#chance, this.#plan, this.#model);
    this.#script = {
      chance: this.#chance,
      plan: this.#plan,
      model: this.#model,
      started: (mailbox, execution) => {
        this.#turns += 1;
        this.#running.set(mailbox, execution);
      },
      ended: ({ mailbox }) => {
        this.#running.delete(mailbox);
        if (this.#model.pending(mailbox).size > 0 || this.#chance.is(0.1)) this.#woken.add(mailbox);
      },
    };
    this.#cluster = new Cluster(this.#chance, this.#model, options.nodes ?? 1);
    this.world = new OperationTypes({
      random,
      limits: this.#plan.limits,
      placement: this.#plan.placement,
      wake: (mailbox) => {
        if (!this.#chance.is(this.#plan.lostWake)) this.#woken.add(mailbox);
      },
      ...(options.plant === undefined ? {} : { plant: options.plant }),
    });
  }

  async run(turns: number): Promise<SimulationReport> {
    await this.world.openPlaces();
    await this.#joinAll();
    while (this.#turns < turns) {
      this.#passTime();
      const actions = this.#nextCalls();
      if (actions.length === 0) this.#skipToNextWork();
      else await this.#perform(actions, this.#drawFate());
    }
    await this.#drain();
    checkAtRest(this.#model);
    await checkEverything(this.#model, (file) => this.world.copyTo(file));
    return {
      turns: this.#turns,
      crashes: this.#crashes + this.#cluster.kills,
      refusedLate: this.#cluster.refusedLate,
      takenOver: this.#cluster.takenOver,
      calls: this.#calls,
      messages: this.#model.messages.size,
      deliveries: this.#model.letters.size,
      plan: this.#plan,
      history: this.#hash.digest("hex"),
    };
  }

  tell(seed: number, error: unknown): string {
    return [
      `seed ${seed}, ${this.#plan.placement}, after ${this.#turns} turns and ${this.#crashes} crashes: ${String(error)}`,
      `plan: ${JSON.stringify(this.#plan)}`,
      `the last ${this.#last.length} calls:`,
      ...this.#last,
      `and then at once: ${this.#attempted.map(({ label }) => label).join("; ")}`,
    ].join("\n");
  }

  async #perform(actions: readonly Action[], fate: Fate): Promise<void> {
    this.#attempted = actions;
    for (const { action, record } of await this.world.perform(actions, fate)) {
      this.#calls += 1;
      const outcome = record.result?.ok === true ? record.events : record.result;
      this.#note(`${record.now} ${fate} ${action.label} ${JSON.stringify(outcome)}`);
      action.check(record);
      if (record.result?.ok === true) this.#model.expectNothingElse(record);
    }
    if (fate !== "live") await this.#restart();
  }

  #note(line: string): void {
    this.#hash.update(`${line}\n`);
    this.#last.push(line);
    if (this.#last.length > LAST_LINES) this.#last.shift();
  }

  /** A new life: it knows only what the store knows. */
  async #restart(): Promise<void> {
    this.#crashes += 1;
    this.#note(`-- the process died and came back as ${this.world.leaseOwner}`);
    this.#ghosts = [...this.#running.values(), ...this.#ghosts].slice(0, 4);
    this.#running.clear();
    this.#woken.clear();
    await this.#perform([recover(this.#model, this.world.leaseOwner)], "live");
    for (const mailbox of await this.world.mailboxesWithPending()) this.#woken.add(mailbox);
    if (this.#plan.placement === "file" || this.#chance.is(LOOKS_AFTER_DEATH)) {
      await checkEverything(this.#model, (file) => this.world.copyTo(file));
    }
  }

  /** Nobody says anything new, everything succeeds: whatever was accepted must come to an end. */
  async #drain(): Promise<void> {
    this.#draining = true;
    await this.#endFaults();
    await this.#comeToRest();
    this.world.clock.advance(2 * HOUR);
    await this.#perform([expire(this.#model)], "live");
    await this.#comeToRest();
  }

  async #comeToRest(): Promise<void> {
    for (let rounds = 0; ; rounds += 1) {
      must(rounds < 100_000, () => "the team does not come to rest");
      const now = this.world.clock.now();
      for (const mailbox of MAILBOXES) {
        if (this.#model.due(mailbox, now).length > 0 && this.#model.heldUntil(mailbox, now) === null)
          this.#woken.add(mailbox);
      }
      const actions = this.#loopCalls(MAILBOXES.length);
      if (actions.length > 0) await this.#perform(actions, "live");
      else if (!this.#skipToNextWork()) return;
    }
  }

  async #joinAll(): Promise<void> {
    for (const node of this.#cluster.start()) {
      this.world.addNode(node);
      await this.#perform([join(this.#model, node)], "live");
    }
  }

  /** Those that hang go on, those that are dead stay dead, and after a lease everything has an owner that lives. */
  async #endFaults(): Promise<void> {
    if (!this.#cluster.isShared) return;
    this.#cluster.wakeAll();
    this.world.clock.advance(LEASE_MS + 1);
    for (const node of this.#cluster.live()) await this.#perform([beat(this.#model, node)], "live");
  }

  /** What nodes do besides their work: they beat, die, hang, leave and come back. */
  #nodeCalls(): Action[] {
    if (!this.#cluster.isShared) return [];
    const { killed, started, left } = this.#cluster.next(this.#running);
    for (const execution of killed) {
      this.#running.delete(execution.run.mailbox);
      this.#ghosts = [execution, ...this.#ghosts].slice(0, 8);
    }
    for (const node of started) this.world.addNode(node);
    return [
      ...left.map((node) => leave(this.#model, node)),
      ...started.map((node) => join(this.#model, node)),
      ...this.#cluster.beating().map((node) => beat(this.#model, node)),
    ];
  }

  #drawFate(): Fate {
    // The store outlives every node.
    if (this.#cluster.isShared) return "live";
    if (!this.#chance.is(this.#plan.crash)) return "live";
    return this.#chance.is(0.5) ? "lost" : "unanswered";
  }

  #passTime(): void {
    const { clock } = this.world;
    const chance = this.#chance;
    if (chance.is(0.3)) clock.advance(chance.below(500));
    if (chance.is(0.005)) clock.advance(chance.below(400_000));
    if (this.#cluster.isShared) {
      // Leases must have a chance to end.
      if (chance.is(0.15)) clock.advance(chance.below(6_000));
      return;
    }
    if (this.#plan.clock !== "steady" && chance.is(0.002)) clock.set(clock.now() + HOUR);
    if (this.#plan.clock === "jumps" && chance.is(0.002)) {
      clock.set(clock.now() - HOUR);
      this.#model.monotone = false;
    }
  }

  /** With nobody at work: waits until somebody may go on. False when nobody ever will. */
  #skipToNextWork(): boolean {
    const { clock } = this.world;
    const waits = MAILBOXES.flatMap((mailbox) => {
      const held = this.#model.heldUntil(mailbox, clock.now()) ?? 0;
      return [...this.#model.pending(mailbox)].map(({ notBefore }) => Math.max(held, notBefore ?? 0));
    });
    if (waits.length === 0) return false;
    clock.advance(Math.max(0, Math.min(...waits) - clock.now()));
    this.#poll();
    return true;
  }

  /** The slow look at everything that replaces the wakes that were lost. */
  #poll(): void {
    for (const mailbox of MAILBOXES) if (this.#model.pending(mailbox).size > 0) this.#woken.add(mailbox);
  }

  /** Calls that happen at once: they share a commit, and each sees what the ones before it did. */
  #nextCalls(): Action[] {
    const chance = this.#chance;
    const waiting = this.#model.pendingOf.values().reduce((sum, letters) => sum + letters.size, 0);
    const actions: Action[] = this.#nodeCalls();
    for (let n = chance.below(4); n > 0 && waiting < this.#plan.backlog; n -= 1) actions.push(this.#person.sends());
    const loops = chance.is(0.6) ? MAILBOXES.length : 1 + chance.below(MAILBOXES.length);
    actions.push(...this.#loopCalls(loops));
    if (chance.is(0.02)) actions.push(...this.#person.sortsDeadLetters());
    if (chance.is(0.01)) actions.push(...this.#person.acks());
    if (this.#plan.ballots && chance.is(0.01)) actions.push(this.#person.opensBallot());
    if (this.#plan.ballots && chance.is(0.01)) actions.push(expire(this.#model));
    if (this.#plan.ballots && chance.is(0.02)) actions.push(remind(this.#model));
    const ghost = chance.is(0.05) ? this.#ghosts.findLast(isLost) : undefined;
    if (ghost !== undefined) {
      this.#ghosts = this.#ghosts.filter((each) => each !== ghost);
      actions.push(haunt(this.#script, ghost));
    }
    if (chance.is(0.05)) this.#poll();
    return actions;
  }

  /** What up to `count` loops do next, each one thing. */
  #loopCalls(count: number): Action[] {
    const start = this.#chance.below(MAILBOXES.length);
    const actions: Action[] = [];
    for (let n = 0; n < count; n += 1) {
      const mailbox = MAILBOXES[(start + n) % MAILBOXES.length] ?? "";
      const execution = this.#running.get(mailbox);
      if (execution !== undefined && this.#cluster.hangs(execution.leaseOwner)) this.#seekOther(mailbox, actions);
      else if (execution !== undefined) actions.push(this.#goOn(execution));
      else if (this.#woken.delete(mailbox) || (!this.#draining && this.#chance.is(this.#plan.spuriousWake))) {
        actions.push(begin(this.#script, mailbox, this.#cluster.any() ?? this.world.leaseOwner));
      }
    }
    return actions;
  }

  #goOn(execution: Execution): Action {
    const action = goOn(this.#script, execution, this.#draining);
    return underClaim(action, execution, () => {
      this.#cluster.refusedLate += 1;
      this.#running.delete(execution.run.mailbox);
      this.#woken.add(execution.run.mailbox);
    });
  }

  /** The node of the execution hangs. Another one may take the mailbox when the lease is over. */
  #seekOther(mailbox: string, actions: Action[]): void {
    const other = this.#cluster.any();
    if (other === undefined || this.#model.openRunOf.has(mailbox)) return;
    const hanging = this.#running.get(mailbox);
    if (hanging !== undefined) this.#ghosts = [hanging, ...this.#ghosts].slice(0, 8);
    this.#running.delete(mailbox);
    this.#cluster.takenOver += 1;
    actions.push(begin(this.#script, mailbox, other));
  }
}
