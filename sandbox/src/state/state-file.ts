import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { isJsonObject } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import { SandboxError } from '../errors.ts';

/** Row of a table; `at` is the time of its admission (ms). A `body` has its own column, because bytes aren't JSON. */
export type Row<Value> = { at: number; value: Value };
type Stored = object & { body?: string | Bytes };
export type Change = { table: string; id: string; row: Row<Stored> | undefined };
export type StateFile = {
  /** Rows saved by earlier processes, by table and id, oldest first. Only read when the file is opened. */
  readonly tables: Readonly<Record<string, Map<string, Row<Stored>>>>;
  save(changes: readonly Change[]): void;
  close(): void;
};

/** Identifies files of the sandbox: the letters `swyd`. */
const applicationId = 0x73777964;
/** Incremented with every change to the contents of the tables. */
const format = 3;
/** Other users of the machine must not be able to read inputs, outputs and keys, not even in journals. */
const ownerOnly = 0o600;
// `node:sqlite` is only loaded if there is a state file, because Node 22 warns that this module is experimental.
const load = createRequire(import.meta.url);

/** Throws SandboxError if the file is unusable, with the file and advice in its message. */
export function openStateFile(file: string, names: readonly string[]): StateFile {
  let db: DatabaseSync | undefined;
  try {
    const { DatabaseSync: Sqlite } = load('node:sqlite') as typeof import('node:sqlite');
    // SQLite gives journals the mode of the file.
    if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'wx', ownerOnly));
    db = new Sqlite(file, { timeout: 2000 });
    prepareFile(db, file, names);
    return serveFile(db, names);
  } catch (cause) {
    db?.close();
    // The lowest byte of an SQLite error code is its kind; 5 is SQLITE_BUSY.
    const isBusy = cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === 5;
    const advice = isBusy ? 'another process is using it' : 'use a different file';
    throw new SandboxError(`the database ${JSON.stringify(file)} cannot be used: ${advice}`, { cause });
  }
}

function serveFile(db: DatabaseSync, names: readonly string[]): StateFile {
  const tables = Object.fromEntries(names.map((name) => [name, readTable(db, name)]));
  const removals = new Map(names.map((name) => [name, db.prepare(`DELETE FROM ${name} WHERE id = ?`)]));
  const puts = new Map(names.map((name) => [name, db.prepare(`INSERT INTO ${name} ${upsertClause}`)]));
  const save = (changes: readonly Change[]): void => {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const { table, id, row } of changes) {
        const { body = null, ...value } = row?.value ?? {};
        if (row === undefined) removals.get(table)?.run(id);
        else puts.get(table)?.run(id, row.at, JSON.stringify(value), body);
      }
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  return { tables, save, close: () => db.close() };
}

const upsertClause = `(id, at, value, body) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET at = excluded.at, value = excluded.value, body = excluded.body`;

const columns = `(place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, at INTEGER NOT NULL,
  value TEXT NOT NULL, body ANY) STRICT`;

function prepareFile(db: DatabaseSync, file: string, names: readonly string[]): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE;'); // Fails immediately if the file isn't writable.
  const marks = `SELECT application_id = ${applicationId} ours, user_version written,
    (SELECT count(*) FROM sqlite_schema WHERE type = 'table') tables,
    (SELECT count(*) FROM sqlite_schema WHERE type <> 'table' AND sql NOT NULL) others FROM pragma_application_id, pragma_user_version`;
  const { ours, written, tables, others } = db.prepare(marks).get() ?? {};
  // Reject views and triggers: a view could be endless, and a trigger would run with every change.
  if ((tables !== 0 && ours !== 1) || others !== 0)
    throw new SandboxError('it contains tables of a different application');
  if (ours === 1 && written !== format)
    throw new SandboxError(
      `it was written by a different release (format ${written}; this release reads format ${format})`,
    );
  for (const name of names) db.exec(`CREATE TABLE IF NOT EXISTS ${name} ${columns}`);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}; COMMIT;`);
  // Only change modes after checking that it is a file of the sandbox. Use paths, because closing a descriptor would
  // release SQLite's locks.
  for (const path of ['', '-wal', '-shm', '-journal'].map((suffix) => `${file}${suffix}`))
    if (existsSync(path)) chmodSync(path, ownerOnly);
  // The operating system writes the log to disk later, so no data is lost if the process is killed, only if the machine
  // crashes.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
}

function readTable(db: DatabaseSync, name: string): Map<string, Row<Stored>> {
  const rows = new Map<string, Row<Stored>>();
  const all = db.prepare(`SELECT id, at, value, body FROM ${name} ORDER BY place`);
  for (const { id, at, value, body } of all.iterate()) {
    const parsed: unknown = JSON.parse(String(value));
    if (!isJsonObject(parsed)) throw new SandboxError(`a row of ${name} is not an object`);
    const kept = body instanceof Uint8Array ? new Uint8Array(body) : String(body);
    rows.set(String(id), { at: Number(at), value: body === null ? parsed : { ...parsed, body: kept } });
  }
  return rows;
}
