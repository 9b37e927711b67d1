import { z } from "zod";

/** Large content as every face shows it. */
export const resourceView = z.object({
  id: z.string(),
  type: z.string(),
  bytes: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
export type ResourceView = z.output<typeof resourceView>;

export const resourcePageView = resourceView.extend({
  /** Characters (code points) of the whole, and where this part begins among them. */
  total: z.int(),
  offset: z.int(),
  content: z.string(),
  /** Offset of the next part; null when this is the last. */
  next: z.int().nullable(),
});
export type ResourcePageView = z.output<typeof resourcePageView>;
