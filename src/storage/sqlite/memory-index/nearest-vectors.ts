import type { OpenIndex } from "./memory-index-file.ts";
import type { TimeSlicer } from "./time-slicer.ts";
export async function findNearest(_i: OpenIndex, _a: number, _v: unknown, _l: number, _s: TimeSlicer): Promise<number[]> { return []; }
