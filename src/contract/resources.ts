import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

/** A resource without its content. */
export const resourceView = z.object({
  id: z.string(),
  type: z.string(),
  /** base64: the content is bytes that are no text. */
  encoding: z.enum(["utf8", "base64"]),
  bytes: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
export type ResourceView = z.output<typeof resourceView>;

export const resourcePageView = resourceView.extend({
  /** Length of the whole, in characters (code points) of the text or of the base64. */
  total: z.int(),
  /** Where this part begins, in characters. */
  offset: z.int(),
  content: z.string(),
  /** Offset of the next part. Null when this is the last. */
  next: z.int().nullable(),
});
export type ResourcePageView = z.output<typeof resourcePageView>;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i;

const MAX_RESOURCE_BYTES = 5 * 1024 * 1024;
const MAX_RESOURCE_CHARS = Math.ceil(MAX_RESOURCE_BYTES / 3) * 4;
const TOO_LONG =
  "the resource is longer than 5 MiB, which is the most; send it in parts, or name a file of the project";

const MAX_PAGE_CHARS = 100_000;

function sizeOf(content: string, encoding: "utf8" | "base64"): number {
  return encoding === "base64" ? Math.floor((content.length * 3) / 4) : new TextEncoder().encode(content).length;
}

export const createResource = declareProposal({
  name: "create-resource",
  summary: "Keep a large text outside the channel and get an id to refer to it.",
  method: "POST",
  path: "/resources",
  personTool: "resource_create",
  large: true,
  input: z
    .object({
      target: z.string().optional().describe("@review, or an agent for its direct messages. Agents: leave it out."),
      content: z.string().min(1, "the resource is empty").max(MAX_RESOURCE_CHARS, TOO_LONG),
      type: z.string().max(100).regex(TYPE, "a type looks like text/plain").default("text/plain"),
      encoding: z
        .enum(["utf8", "base64"])
        .default("utf8")
        .describe("base64 for bytes that are no text: they are kept."),
    })
    .refine(({ content, encoding }) => sizeOf(content, encoding) <= MAX_RESOURCE_BYTES, TOO_LONG)
    .refine(({ content, encoding }) => encoding === "utf8" || BASE64.test(content), "the content is not base64"),
  output: resourceView,
});

export const readResource = declareQuery({
  name: "read-resource",
  summary: "Read a resource by its id, in parts when it is long.",
  method: "GET",
  path: "/resources/:id",
  personTool: "resource_read",
  input: z.object({
    id: z.string().regex(/^res_[0-9a-f]{32}$/, "a resource id is res_ and 32 hexadecimal digits"),
    target: z.string().optional().describe("Only if it is known there. Agents: leave it out."),
    offset: z.int().nonnegative().default(0).describe("How many characters to skip."),
    limit: z.int().min(1).max(MAX_PAGE_CHARS).default(16_000).describe("How many characters to read."),
  }),
  output: resourcePageView,
});
