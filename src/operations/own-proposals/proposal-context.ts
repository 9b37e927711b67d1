import { SYSTEM, PERSON } from "../../domain/message/message.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { RULE_SPEAKER } from "../../domain/rule/rule.ts";
import type { Caller } from "../../kernel/caller.ts";
import { Fault } from "../../kernel/fault.ts";
import { isEnded, type CodeCall } from "../../kernel/project-code.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { withSpace } from "../ballots/ballot-consequences.ts";
import { toBallotView } from "../ballots/view.ts";
import type { CallContext } from "../../kernel/proposal.ts";
import type { Execute, ProductTypes, Read } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { documentsToRead } from "../documents/document-access.ts";
import { postMessage } from "../messages/post-message.ts";
import { findComposable } from "./composable-proposals.ts";
import type { PrepareContext, ProposalCaller, ProposalContext, ProposalReads } from "./definition.ts";

/** Thrown to the code of a project when something it asked for is refused. Not caught, it is the refusal of the call. */
export class RefusedInside extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "ProposalRefused";
    this.refusal = refusal;
  }
}

/** One call of one own proposal, as its contexts need it. */
export interface ContextParts {
  readonly proposal: string;
  readonly space: string | null;
  readonly projectDir: string;
  readonly call: CodeCall;
  /** Called with a failure of the store that the code of the project might catch. */
  readonly onFault: (fault: Fault) => void;
}

const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;
const MAX_STATE_BYTES = 64 * 1024;
const MAX_EVENT_BYTES = 8 * 1024;

export function prepareContext(ctx: Read, parts: ContextParts, signal: AbortSignal): PrepareContext {
  const guarded = guard(parts);
  const documents = async () => {
    const place = await documentsToRead(ctx, { target: spaceIn(parts) });
    return valueOf(place).documents;
  };
  return {
    ...reads(ctx, parts, (work) => ctx.read(work)),
    signal,
    state: { get: guarded(() => ctx.read((store) => readState(store, parts))) },
    documents: guarded(async () => (await (await documents()).list()).map(({ file, bytes }) => ({ file, bytes }))),
    readDocument: guarded(async (file: string) => {
      const read = await (await documents()).read(file);
      if (!read.ok && read.error.code === "not_found") return undefined;
      return valueOf(read).content;
    }),
  };
}

export function proposalContext(ctx: Execute, parts: ContextParts): ProposalContext {
  const { proposal } = parts;
  const { redact, ownProposals } = ctx.services;
  const guarded = guard(parts);
  return {
    ...reads(ctx, parts, (work) => work(ctx.store)),
    state: {
      get: guarded(() => readState(ctx.store, parts)),
      set: guarded(async (value: unknown) => {
        const text = value === undefined ? null : jsonOf(redactTexts(value, redact), "The state", MAX_STATE_BYTES);
        await ctx.store.ownProposalStates.store(parts.space ?? "", proposal, text);
      }),
    },
    post: guarded(async (text: string, { to }: { readonly to?: string } = {}) => {
      const space = valueOf(parseSpace(spaceIn(parts)));
      const { caller } = ctx;
      const channel = space.kind === "dm" ? space : ({ ...space, kind: "channel" } as const);
      const receipt = await postMessage(ctx, {
        target: to === undefined || space.kind === "dm" ? channel : { ...space, kind: "agent", agent: to },
        sender: `proposal:${proposal}`,
        kind: "message",
        body: String(text),
        cause: caller.kind === "agent" ? caller.cause : null,
      });
      return { id: valueOf(receipt).id };
    }),
    propose: guarded(async (name: string, data: Readonly<Record<string, unknown>> = {}) => {
      const found = valueOf(findComposable(name, ownProposals.find(name)));
      const placed = parts.space === null ? data : withSpace({ propose: name, data }, parts.space).data;
      return valueOf(await ctx.propose(found, placed));
    }),
    emit: guarded(async (name: string, data: unknown = null) => {
      const clean = redactTexts(data, redact);
      jsonOf(clean, "The data of an event", MAX_EVENT_BYTES);
      const event = { type: "proposal.event", proposal, name: redact(String(name)), data: clean } as const;
      await ctx.emit({ ...event, space: parts.space ?? "" });
    }),
  };
}

function reads(
  { caller, now }: Pick<CallContext<ProductTypes>, "caller" | "now">,
  parts: ContextParts,
  read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>,
): ProposalReads {
  const guarded = guard(parts);
  const pageSize = (limit: number | undefined): number =>
    Math.max(1, Math.min(Math.trunc(limit ?? DEFAULT_PAGE), MAX_PAGE));
  return {
    caller: toProposalCaller(caller),
    now: new Date(now),
    space: parts.space,
    projectDir: parts.projectDir,
    messages: guarded(async ({ limit, contains }: { readonly limit?: number; readonly contains?: string } = {}) => {
      const page = { space: spaceIn(parts), limit: pageSize(limit), ...(contains === undefined ? {} : { contains }) };
      const found = await read((store) => store.messages.page(page));
      return found.map(({ id, sender, body, mentions, createdAt }) => ({
        id,
        from: sender,
        text: body,
        mentions,
        at: new Date(createdAt),
      }));
    }),
    ballots: guarded(async ({ all = false, limit }: { readonly all?: boolean; readonly limit?: number } = {}) => {
      const page = { space: spaceIn(parts), limit: pageSize(limit) };
      return read(async (store) => {
        const views = [];
        for (const ballot of await store.ballots.list(all ? page : { ...page, state: "open" })) {
          views.push(toBallotView(ballot, await store.ballots.votes(ballot.id)));
        }
        return views;
      });
    }),
    members: guarded(async () => {
      const found = await read((store) => store.workspaces.participants(spaceIn(parts)));
      return found.map(({ agent, role }) => ({ name: agent, role }));
    }),
  };
}

/** Nothing may be read or written for a call that was given up: its transaction is over. */
function guard({ call, onFault }: ContextParts) {
  return <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (isEnded(call)) throw new Error("This call has ended: its context cannot be used any more.");
      try {
        return await work(...args);
      } catch (error) {
        if (error instanceof Fault) onFault(error);
        throw error;
      }
    };
}

function spaceIn({ space, proposal }: ContextParts): string {
  if (space !== null) return space;
  throw new RefusedInside(
    refuse("invalid", `${proposal} works in a workspace, and the call names none.`, {
      hint: "Name it as target: @WORKFLOW or @WORKFLOW:TAG.",
    }).error,
  );
}

async function readState(store: StoreReads, { space, proposal }: ContextParts): Promise<unknown> {
  const text = await store.ownProposalStates.find(space ?? "", proposal);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function jsonOf(value: unknown, what: string, maxBytes: number): string {
  const text = JSON.stringify(value) ?? "null";
  if (Buffer.byteLength(text) <= maxBytes) return text;
  throw new RefusedInside(refuse("too_large", `${what} may have ${maxBytes / 1024} KiB at most.`).error);
}

function valueOf<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw new RefusedInside(result.error);
}

function toProposalCaller(caller: Caller): ProposalCaller {
  if (caller.kind === "person") return { kind: "person", name: PERSON, run: null };
  if (caller.kind === "system" || caller.name === SYSTEM) return { kind: "ballot", name: SYSTEM, run: null };
  const { name, run } = caller;
  return { kind: name.startsWith(RULE_SPEAKER) ? "rule" : "agent", name, run };
}
