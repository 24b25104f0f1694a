import { SandboxError } from '../errors.ts';

type Row = Record<string, unknown>;
/** What is needed of an open database. */
type Database = { exec(sql: string): void; prepare(sql: string): { all(): Row[]; get(): Row | undefined } };

/** Marks a file as a sandbox's: the letters `swyd`. */
const applicationId = 0x73777964;
/** To be raised with every change to what the tables hold. */
const format = 1;

/** Creates the tables that are missing. Throws SandboxError for a file of another application or of a later release. */
export function prepareTables(db: Database, tables: readonly string[]): void {
  db.exec('BEGIN IMMEDIATE'); // fails at once when the file cannot be written
  refuseUnknownFile(db, tables);
  for (const name of tables) {
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${name}
       (place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL, body ANY) STRICT;`,
    );
  }
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}; COMMIT;`);
}

function refuseUnknownFile(db: Database, tables: readonly string[]): void {
  const found = namesIn(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const isOurs = pragma(db, 'application_id') === applicationId;
  if (found.length > 0 && !isOurs) throw new SandboxError('it holds the tables of another application');
  const written = pragma(db, 'user_version');
  if (isOurs && written > format) {
    throw new SandboxError(`a later release wrote it (format ${written}, and this one knows ${format})`);
  }
  const missing = isOurs ? tables.filter((name) => !found.includes(name)) : [];
  if (missing.length > 0) throw new SandboxError(`its tables ${missing.join(', ')} are missing`);
}

function namesIn(db: Database, sql: string): string[] {
  return db
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));
}

function pragma(db: Database, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
