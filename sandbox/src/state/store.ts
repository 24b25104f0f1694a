import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Bytes } from '../digest.ts';
import { SandboxError } from '../errors.ts';

/** A value, and bytes that need not be read with it. */
export type StoredEntry<T> = { value: T; body: string | Bytes | undefined };
export type Table<T> = {
  get(id: string): T | undefined;
  getEntry(id: string): StoredEntry<T> | undefined;
  put(id: string, at: number, entry: { value: T; body?: string | Bytes | undefined }): void;
  /** Oldest first. */
  each(): Iterable<T>;
  forgetBefore(at: number): void;
};

/** Keeps the world's records. The changes of a `transaction` are stored as a whole or not at all, also after a kill. */
export type Store = {
  table<T extends object>(name: string): Table<T>;
  transaction<T>(change: () => T): T;
  clear(): void;
  close(): void;
};

/**
 * Opens `file`, or a private database that lives in memory and spills to a temporary file when it grows, so that a long-lived
 * sandbox keeps its size. Throws SandboxError when the file cannot be used. Without a file nothing is opened before it is needed.
 */
export function openStore(file: string | undefined, tables: readonly string[]): Store {
  let opened: Database | undefined;
  let isClosed = false;
  const database = (): Database => {
    if (isClosed) throw new SandboxError('the sandbox is closed');
    opened ??= openDatabase(file, tables);
    return opened;
  };
  if (file !== undefined) database();
  return {
    table: (name) => createTable(() => database().statements, name),
    transaction: (change) => inTransaction(database(), change),
    clear: () =>
      inTransaction(database(), () => database().db.exec(tables.map((name) => `DELETE FROM ${name};`).join(''))),
    close: () => {
      isClosed = true;
      if (opened?.db.isOpen === true) opened.db.close();
    },
  };
}

type Statements = (sql: string) => StatementSync;
type Database = { db: DatabaseSync; statements: Statements; isPrivate: boolean; depth: number; changes: number };

// A kill of the process loses nothing committed, because the system holds the log by then; a crash of the machine may.
const filePragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;';
const privatePragmas = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;';

function openDatabase(file: string | undefined, tables: readonly string[]): Database {
  let db: DatabaseSync | undefined;
  try {
    if (file !== undefined && !existsSync(file)) createPrivate(file);
    db = new DatabaseSync(file ?? '', { timeout: 2000 });
    if (file === undefined) db.exec(privatePragmas);
    else openOwnFile(db, file, tables);
    prepareTables(db, tables);
    return { db, statements: rememberStatements(db), isPrivate: file === undefined, depth: 0, changes: 0 };
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
    const statement = known.get(sql) ?? db.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
}

function inTransaction<T>(database: Database, change: () => T): T {
  if (database.depth > 0) return change(); // part of the one around it
  const [begin, end, undo] = database.isPrivate ? savepoint(database) : transaction;
  const { statements } = database;
  statements(begin).run();
  database.depth += 1;
  try {
    const result = change();
    statements(end).run();
    return result;
  } catch (error) {
    for (const step of undo) statements(step).run();
    throw error;
  } finally {
    database.depth -= 1;
  }
}

const transaction = ['BEGIN IMMEDIATE', 'COMMIT', ['ROLLBACK']] as const;
const changesPerFlush = 1000;

/**
 * A private database is gone after a kill, so its changes need to be atomic but not durable: each is a savepoint in one long
 * transaction. A commit for each would write to the temporary file, ten times slower.
 */
function savepoint(database: Database): readonly [string, string, readonly string[]] {
  const { db, statements } = database;
  if (db.isTransaction && database.changes % changesPerFlush === 0) statements('COMMIT').run();
  if (!db.isTransaction) statements('BEGIN').run();
  database.changes += 1;
  return ['SAVEPOINT change', 'RELEASE change', ['ROLLBACK TO change', 'RELEASE change']];
}

function createTable<T extends object>(statements: () => Statements, name: string): Table<T> {
  const run = (sql: string): StatementSync => statements()(sql);
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
