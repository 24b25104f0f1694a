import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Bytes } from '../digest.ts';
import { SandboxError } from '../errors.ts';
import { openMemoryStore } from './memory-store.ts';
import type { Store, Table } from './table.ts';

// Loaded for a file alone: Node 22 warns that it is experimental.
const load = createRequire(import.meta.url);

/** Opens `file`, or a store in memory. Throws SandboxError when the file cannot be used. */
export function openStore(file: string | undefined, tables: readonly string[]): Store {
  if (file === undefined) return openMemoryStore(tables);
  const database = openDatabase(file, tables);
  return {
    table: (name) => createTable(database.statements, name),
    transaction: (change) => inTransaction(database, change),
    clear: () => inTransaction(database, () => database.db.exec(tables.map((name) => `DELETE FROM ${name};`).join(''))),
    close: () => {
      if (database.db.isOpen) database.db.close();
    },
  };
}

type Statements = (sql: string) => StatementSync;
type Database = { db: DatabaseSync; statements: Statements; depth: number };

// A kill of the process loses nothing committed, because the system holds the log by then; a crash of the machine may.
const filePragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;';

function openDatabase(file: string, tables: readonly string[]): Database {
  let db: DatabaseSync | undefined;
  try {
    const { DatabaseSync: Sqlite } = load('node:sqlite') as typeof import('node:sqlite');
    if (!existsSync(file)) createPrivate(file);
    db = new Sqlite(file, { timeout: 2000 });
    openOwnFile(db, file, tables);
    prepareTables(db, tables);
    return { db, statements: rememberStatements(db), depth: 0 };
  } catch (cause) {
    db?.close();
    throw unusable(file, cause);
  }
}

/** Inputs, outputs and keys of callers are in the file: nobody else on the machine may read it or its journals. */
const ownerOnly = 0o600;

// SQLite gives journals the mode of the file.
function createPrivate(file: string): void {
  if (file !== ':memory:') closeSync(openSync(file, 'wx', ownerOnly));
}

function openOwnFile(db: DatabaseSync, file: string, tables: readonly string[]): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE;'); // fails at once when the file cannot be written
  refuseUnknownFile(db, tables);
  db.exec('COMMIT;');
  // Not before it is known to be ours, and never through a descriptor, whose end would end the locks of SQLite.
  for (const path of ['', '-wal', '-shm', '-journal'].map((suffix) => `${file}${suffix}`)) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? ownerOnly;
    if ((mode & 0o077) !== 0) chmodSync(path, ownerOnly);
  }
  db.exec(filePragmas);
}

/** Names the file and what to do. */
export function unusable(file: string | undefined, cause: unknown): SandboxError {
  const isLocked = cause instanceof Error && cause.message.includes('locked');
  const advice = isLocked ? 'another process uses it' : 'name another one';
  return new SandboxError(`the database ${JSON.stringify(file ?? 'in memory')} cannot be used: ${advice}`, { cause });
}

function rememberStatements(db: DatabaseSync): Statements {
  const known = new Map<string, StatementSync>();
  return (sql) => {
    if (!db.isOpen) throw new SandboxError('the sandbox is closed');
    const statement = known.get(sql) ?? db.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
}

function inTransaction<T>(database: Database, change: () => T): T {
  if (database.depth > 0) return change(); // part of the one around it
  const { statements } = database;
  statements('BEGIN IMMEDIATE').run();
  database.depth += 1;
  try {
    const result = change();
    statements('COMMIT').run();
    return result;
  } catch (error) {
    statements('ROLLBACK').run();
    throw error;
  } finally {
    database.depth -= 1;
  }
}

function createTable<T extends object>(run: Statements, name: string): Table<T> {
  // Only `put` below writes these rows, with values of this type.
  const parse = (row: Record<string, SQLOutputValue>): T => JSON.parse(String(row['value'])) as T;
  return {
    get: (id) => {
      const row = run(`SELECT value FROM ${name} WHERE id = ?`).get(id);
      return row === undefined ? undefined : parse(row);
    },
    getEntry: (id) => {
      const row = run(`SELECT value, body FROM ${name} WHERE id = ?`).get(id);
      return row === undefined ? undefined : { value: parse(row), body: bodyOf(row['body']) };
    },
    put: (id, at, { value, body }) => {
      run(
        `INSERT INTO ${name} (id, at, value, body) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, value = excluded.value, body = excluded.body`,
      ).run(id, at, JSON.stringify(value), body ?? null);
    },
    each: function* () {
      for (const row of run(`SELECT value FROM ${name} ORDER BY place`).iterate()) yield parse(row);
    },
    // Rows are in order of age, so the first young one is found fast.
    forgetBefore: (at) => {
      const first = run(`SELECT place FROM ${name} WHERE at >= ? ORDER BY place LIMIT 1`).get(at);
      if (first === undefined) run(`DELETE FROM ${name}`).run();
      else run(`DELETE FROM ${name} WHERE place < ?`).run(first['place'] ?? 0);
    },
  };
}

function bodyOf(value: SQLOutputValue | undefined): string | Bytes | undefined {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return typeof value === 'string' ? value : undefined;
}

/** Marks a file as a sandbox's: the letters `swyd`. */
const applicationId = 0x73777964;
/** Raised with every change to the contents of the tables. */
const format = 1;

/** Creates the tables that are missing. */
function prepareTables(db: DatabaseSync, tables: readonly string[]): void {
  db.exec('BEGIN IMMEDIATE');
  for (const name of tables) {
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${name}
       (place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL, body ANY) STRICT;`,
    );
  }
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}; COMMIT;`);
}

/** Throws SandboxError for a file of another application or of a later release. */
function refuseUnknownFile(db: DatabaseSync, tables: readonly string[]): void {
  const listed = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const found = listed.map(({ name }) => String(name));
  const isOurs = pragma(db, 'application_id') === applicationId;
  if (found.length > 0 && !isOurs) throw new SandboxError('it holds the tables of another application');
  const written = pragma(db, 'user_version');
  if (isOurs && written > format) {
    throw new SandboxError(`a later release wrote it (format ${written}, and this one knows ${format})`);
  }
  const missing = isOurs ? tables.filter((name) => !found.includes(name)) : [];
  if (missing.length > 0) throw new SandboxError(`its tables ${missing.join(', ')} are missing`);
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
