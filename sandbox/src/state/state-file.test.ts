import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { createTestSandbox, testSpecs } from '../../tests/test-sandbox.ts';
import { SandboxError } from '../errors.ts';
import { createSandbox } from '../sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'format-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns why a sandbox rejects a file, with all causes in one line; undefined if it accepts the file. */
function catchRefusal(file: string): string | undefined {
  try {
    createSandbox({ specs: testSpecs, db: file }).close();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SandboxError);
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    return `${message} (${cause instanceof Error ? cause.message : cause})`;
  }
}

async function writeDatabase(name: string, sql: string): Promise<string> {
  const file = join(folder, name);
  const sandbox = createTestSandbox({ clock: 'real', db: file });
  await sandbox.call('POST', '/v2/models/sandbox/outcomes', { json: {} });
  sandbox.close();
  changeFile(file, sql);
  return file;
}

function changeFile(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test('a sandbox opens the database file of an earlier sandbox, and an empty file', async () => {
  expect(catchRefusal(await writeDatabase('own.db', 'VACUUM'))).toBeUndefined();
  writeFileSync(join(folder, 'empty.db'), '');
  expect(catchRefusal(join(folder, 'empty.db'))).toBeUndefined();
});

test.each([
  [
    'of an earlier release',
    'PRAGMA user_version = 1',
    'it was written by a different release (format 1; this release reads format 3)',
  ],
  [
    'of a later release',
    'PRAGMA user_version = 99',
    'it was written by a different release (format 99; this release reads format 3)',
  ],
  ['with a row that is not JSON', "UPDATE runs SET value = 'no JSON'", 'is not valid JSON'],
  ['with a row that is not an object', "UPDATE runs SET value = 'null'", 'a row of runs is not an object'],
  ['with a trigger', 'CREATE TRIGGER t BEFORE INSERT ON runs BEGIN SELECT 1; END', 'of a different application'],
  [
    'with an endless view',
    `DROP TABLE runs; CREATE VIEW runs (place, id, at, value, body) AS
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x, x, '{}', NULL FROM n`,
    'of a different application',
  ],
  ['with a renamed column', 'ALTER TABLE runs RENAME COLUMN value TO worth', 'no such column: value'],
])('rejects a database file %s, with its name and the reason in the message', async (name, sql, reason) => {
  const refusal = catchRefusal(await writeDatabase(`${name}.db`, sql));
  expect(refusal).toContain(`${name}.db" cannot be used: use a different file`);
  expect(refusal).toContain(reason);
});

test('rejects a database file that is not a database, and one that is in use', () => {
  writeFileSync(join(folder, 'text.db'), 'hello '.repeat(1000));
  expect(catchRefusal(join(folder, 'text.db'))).toContain('file is not a database');
  const holder = createSandbox({ specs: testSpecs, db: join(folder, 'held.db') });
  expect(catchRefusal(join(folder, 'held.db'))).toContain('another process is using it');
  holder.close();
});

/** Lists the modes of a database and its journals, as `name mode`. */
function readModes(name: string): string[] {
  const own = readdirSync(folder).filter((file) => file.startsWith(name));
  return own.toSorted().map((file) => `${file} ${(statSync(join(folder, file)).mode & 0o777).toString(8)}`);
}

test('other users can’t read the database file and its journals, regardless of the umask of the process', () => {
  const mask = process.umask(0);
  const sandbox = createSandbox({ specs: testSpecs, db: join(folder, 'private.db') });
  process.umask(mask);
  expect(readModes('private.db')).toEqual(['private.db 600', 'private.db-wal 600']);
  sandbox.close();
});

test('removes permissions of other users from a database file of an earlier release, and from the journal of a killed process', async () => {
  const file = await writeDatabase('shared.db', 'PRAGMA journal_mode = WAL');
  // The last connection removes the journal, so a second one keeps it.
  const killed = new DatabaseSync(file);
  killed.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE extra (id TEXT); DROP TABLE extra;');
  copyFileSync(file, join(folder, 'left.db'));
  copyFileSync(`${file}-wal`, join(folder, 'left.db-wal'));
  killed.close();
  for (const name of ['left.db', 'left.db-wal']) chmodSync(join(folder, name), 0o664);
  const sandbox = createSandbox({ specs: testSpecs, db: join(folder, 'left.db') });
  expect(readModes('left.db')).toEqual(['left.db 600', 'left.db-wal 600']);
  sandbox.close();
});

test('the option db does not change a folder, or a file of a different application', () => {
  const file = join(folder, 'dogs.db');
  changeFile(file, 'CREATE TABLE dogs (id TEXT)');
  chmodSync(file, 0o644);
  expect(catchRefusal(file)).toContain('tables of a different application');
  expect(readModes('dogs.db')).toEqual(['dogs.db 644']);
  const db = new DatabaseSync(file);
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'dogs' }]);
  db.close();
  mkdirSync(join(folder, 'sub'), { mode: 0o755 });
  expect(catchRefusal(join(folder, 'sub'))).toContain('cannot be used');
  expect(readModes('sub')).toEqual(['sub 755']);
});

test('the option db supports SQLite’s name for an in-memory database', () => {
  expect(catchRefusal(':memory:')).toBeUndefined();
  expect(existsSync(':memory:')).toBe(false);
});
