import { earlierKey } from "../../domain/workspace/instance.ts";
import type { DocumentProvider, WorkspaceProvider } from "../../domain/workflow/definition.ts";
import type {
  Member,
  ParticipantRecord,
  WorkspaceReads,
  WorkspaceRecord,
  WorkspaceWrites,
} from "../../ports/store/workspace.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";
import { moveSpace } from "./spaces/move-space.ts";

export function workspaceReads(db: Connection): WorkspaceReads {
  const selectByKey = db.get("SELECT * FROM workspace WHERE key = ?");
  const selectStatus = db.get("SELECT state, channel, opened_at, workflow, file FROM workspace WHERE key = ?");
  const selectAll = db.all("SELECT * FROM workspace WHERE earlier = 0 AND instr(tag, '/') = 0 ORDER BY key");
  const selectInState = db.all(
    "SELECT * FROM workspace WHERE earlier = 0 AND instr(tag, '/') = 0 AND state = ? ORDER BY key",
  );
  const selectEarlier = db.all(
    "SELECT * FROM workspace WHERE earlier = 1 AND workflow = ? AND tag = ? ORDER BY instance DESC",
  );
  const selectWithin = db.all(
    `SELECT * FROM workspace WHERE earlier = ? AND workflow = ? AND instr(tag, ? || '/') = 1
       AND (earlier = 0 OR instance = ?) ORDER BY opened_at, key`,
  );
  const selectParticipant = db.get("SELECT * FROM participant WHERE space = ? AND agent = ?");
  const selectParticipants = db.all("SELECT * FROM participant WHERE space = ? ORDER BY position");
  const selectRoster = db.all("SELECT agent, ref FROM participant WHERE space = ? ORDER BY position");
  const selectMember = db.get("SELECT agent, ref FROM participant WHERE space = ? AND agent = ?");
  const selectWorkspacesOf = db.all(
    `SELECT DISTINCT w.key FROM participant p JOIN workspace w ON w.key = p.space
     WHERE (p.agent = ? OR p.ref = ?) AND w.state = 'open' ORDER BY w.key`,
  );
  return {
    async byKey(key) {
      const row = await selectByKey(key);
      return row === undefined ? undefined : toWorkspace(row);
    },

    async status(key) {
      // Direct messages are in no workspace.
      if (!key.startsWith("@")) return undefined;
      const row = await selectStatus(key);
      if (row === undefined) return undefined;
      return {
        state: row["state"] as WorkspaceRecord["state"],
        channel: row["channel"] === 1,
        openedAt: row["opened_at"] as number,
        workflow: row["workflow"] as string,
        file: row["file"] as string | null,
      };
    },

    async list({ state } = {}) {
      return (state === undefined ? await selectAll() : await selectInState(state)).map(toWorkspace);
    },

    async within({ workflow, tag, instance = 0, earlier = false }) {
      return (await selectWithin(earlier ? 1 : 0, workflow, tag, instance)).map(toWorkspace);
    },

    async earlier({ workflow, tag }) {
      return (await selectEarlier(workflow, tag)).map(toWorkspace);
    },

    async participant(space, agent) {
      const row = await selectParticipant(space, agent);
      return row === undefined ? undefined : toParticipant(row);
    },

    async participants(space) {
      return (await selectParticipants(space)).map(toParticipant);
    },

    async roster(space) {
      return (await selectRoster(space)).map(toMember);
    },

    async member(space, agent) {
      const row = await selectMember(space, agent);
      return row === undefined ? undefined : toMember(row);
    },

    async workspacesOf(agent) {
      return (await selectWorkspacesOf(agent, agent)).map((row) => row["key"] as string);
    },
  };
}

export function workspaceWrites(db: WriteConnection): WorkspaceWrites {
  const upsertWorkspace = db.write(
    `INSERT INTO workspace (key, instance, earlier, workflow, tag, state, provider, documents, channel, dir, mirrored,
       document_file, channel_file, document_owner, owner_setting, opened_at, closed_at, file)
     VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET instance = excluded.instance, state = excluded.state,
       provider = excluded.provider, documents = excluded.documents, channel = excluded.channel, dir = excluded.dir,
       mirrored = excluded.mirrored, document_file = excluded.document_file, channel_file = excluded.channel_file,
       document_owner = excluded.document_owner, owner_setting = excluded.owner_setting, opened_at = excluded.opened_at, closed_at = excluded.closed_at,
       file = excluded.file`,
  );
  const move = moveSpace(db);
  const closeWorkspace = db.write("UPDATE workspace SET state = 'closed', closed_at = ? WHERE key = ?");
  const updateOwner = db.write("UPDATE workspace SET document_owner = ? WHERE key = ?");
  const updateOwnerSetting = db.write("UPDATE workspace SET owner_setting = ? WHERE key = ?");
  const deleteParticipants = db.write("DELETE FROM participant WHERE space = ?");
  const insertParticipant = db.write(
    "INSERT INTO participant (space, agent, position, ref, role, task, mood) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const updateRole = db.write("UPDATE participant SET role = ? WHERE space = ? AND agent = ?");
  const updateStatus = db.write("UPDATE participant SET task = ?, mood = ? WHERE space = ? AND agent = ?");
  return {
    async open(workspace) {
      await upsertWorkspace(
        workspace.key,
        workspace.instance,
        workspace.workflow,
        workspace.tag,
        workspace.state,
        workspace.provider,
        workspace.documents,
        Number(workspace.channel),
        workspace.dir,
        Number(workspace.mirrored),
        workspace.documentFile,
        workspace.channelFile,
        workspace.documentOwner,
        workspace.ownerSetting,
        workspace.openedAt,
        workspace.closedAt,
        workspace.file,
      );
    },

    async close(key, at) {
      await closeWorkspace(at, key);
    },

    async setAside({ key, instance }) {
      const earlier = earlierKey(key, instance);
      await move(key, earlier);
      return earlier;
    },

    async setDocumentOwner(key, owner) {
      await updateOwner(owner, key);
    },

    async setOwnerSetting(key, setting) {
      await updateOwnerSetting(setting, key);
    },

    async setParticipants(space, participants) {
      await deleteParticipants(space);
      for (const participant of participants) {
        await insertParticipant(
          space,
          participant.agent,
          participant.position,
          participant.ref,
          participant.role,
          participant.task,
          participant.mood,
        );
      }
    },

    async setRole(space, agent, role) {
      await updateRole(role, space, agent);
    },

    async setStatus(space, agent, { task, mood }) {
      await updateStatus(task, mood, space, agent);
    },
  };
}

function toWorkspace(row: Row): WorkspaceRecord {
  return {
    key: row["key"] as string,
    instance: row["instance"] as number,
    earlier: row["earlier"] === 1,
    workflow: row["workflow"] as string,
    tag: row["tag"] as string,
    state: row["state"] as WorkspaceRecord["state"],
    provider: row["provider"] as WorkspaceProvider,
    documents: row["documents"] as DocumentProvider,
    channel: row["channel"] === 1,
    dir: row["dir"] as string,
    mirrored: row["mirrored"] === 1,
    documentFile: row["document_file"] as string,
    channelFile: row["channel_file"] as string,
    documentOwner: row["document_owner"] as string | null,
    ownerSetting: row["owner_setting"] as string | null,
    openedAt: row["opened_at"] as number,
    closedAt: row["closed_at"] as number | null,
    file: row["file"] as string | null,
  };
}

function toParticipant(row: Row): ParticipantRecord {
  return {
    space: row["space"] as string,
    agent: row["agent"] as string,
    position: row["position"] as number,
    ref: row["ref"] as string | null,
    role: row["role"] as string | null,
    task: row["task"] as string | null,
    mood: row["mood"] as string | null,
  };
}

function toMember(row: Row): Member {
  return { agent: row["agent"] as string, ref: row["ref"] as string | null };
}
