import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFileDocuments } from "../../../src/files/documents/file-documents.ts";
import { createPersonalFiles } from "../../../src/files/personal/personal-files.ts";
import { systemClock } from "../../../src/kernel/clock.ts";

// A disk of one megabyte. Mounting one is the privilege of root; elsewhere there is no small disk to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status === 0;

afterAll(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

function fill(): void {
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      writeFileSync(join(disk, "filler"), Buffer.alloc(size), { flag: "a" });
    } catch {
      // Smaller, then.
    }
  }
}

/** Room for the beginning of a write, and not for its end. */
function fillAlmost(): void {
  fill();
  truncateSync(join(disk, "filler"), statSync(join(disk, "filler")).size - 32 * 1024);
}

function freeSpace(): void {
  rmSync(join(disk, "filler"), { force: true });
}

describe.skipIf(!mounted)("a full disk (skipped where a small disk cannot be mounted)", () => {
  it("refuses the write of a document, keeps the old content, and recovers", async () => {
    const created = createFileDocuments({ root: disk, dir: "documents" });
    if (!created.ok) throw new Error(created.error.message);
    const documents = created.value;
    const write = async (content: string): Promise<boolean> => {
      const staged = await documents.stage("a.md", content);
      return staged.ok && (await staged.value.publish()).ok;
    };
    expect(await write("old")).toBe(true);
    fillAlmost();
    await expect(write("new".repeat(30_000))).rejects.toMatchObject({
      code: "disk_full",
      message: expect.stringContaining("a.md"),
    });
    expect(await documents.read("a.md")).toMatchObject({ value: { content: "old" } });
    expect(readdirSync(join(disk, "documents"))).toEqual(["a.md"]);
    freeSpace();
    expect(await write("new".repeat(30_000))).toBe(true);
    expect(await documents.readPrevious("a.md")).toMatchObject({ value: { content: "old" } });
  });

  it("takes back half a conversation entry, and loses no memory", async () => {
    const created = createPersonalFiles({ root: disk, dir: ".agents/alice", clock: systemClock, newId: () => "m1" });
    if (!created.ok) throw new Error(created.error.message);
    const { conversations, memory, todo } = created.value;
    const say = (sender: string, text: string) =>
      conversations.append([{ sender, text, at: Date.UTC(2026, 1, 26) }], null);
    await say("user", "hello");
    await memory.set("style", "short", { source: "alice" });
    await todo.add("one");
    fillAlmost();
    const full = { code: "disk_full" };
    await expect(say("alice", "x".repeat(90_000))).rejects.toMatchObject(full);
    expect(readFileSync(join(disk, ".agents/alice/conversations/2026-02-26.md"), "utf8")).toBe(
      "### 00:00:00 [user]\nhello\n\n",
    );
    fill();
    await expect(memory.set("other", "x".repeat(30_000), { source: "alice" })).rejects.toMatchObject(full);
    expect(await conversations.read("2026-02-26")).toMatchObject({ value: [{ text: "hello" }] });
    expect((await memory.list()).entries).toHaveLength(1);
    expect(
      readdirSync(join(disk, ".agents/alice"), { recursive: true }).filter((name) => String(name).includes("/.")),
    ).toEqual([]);
    freeSpace();
    expect(await say("alice", "again")).toMatchObject({ ok: true });
    expect(await memory.set("other", "x", { source: "alice" })).toMatchObject({ ok: true });
    expect(await conversations.read("2026-02-26")).toMatchObject({ value: [{ text: "hello" }, { text: "again" }] });
  });
});
