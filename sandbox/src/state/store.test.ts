import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { testSpecs } from '../../tests/test-sandbox.ts';
import { SandboxError } from '../errors.ts';
import { createSandbox } from '../sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'format-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why a sandbox refuses a file, all causes in one line; undefined when it takes it. */
function refusalOf(file: string): string | undefined {
  try {
    createSandbox({ specs: testSpecs, db: file }).close();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SandboxError);
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    return `${message} (${cause instanceof Error ? cause.message : cause})`;
  }
}

async function written(name: string, sql: string): Promise<string> {
  const file = join(folder, name);
  const sandbox = createSandbox({ specs: testSpecs, db: file });
  const headers = { 'X-API-Key': sandbox.credentials.router.main };
  await sandbox.fetch(
    new Request('http://sandbox.test/v2/models/sandbox/outcomes', { method: 'POST', headers, body: '{}' }),
  );
  sandbox.close();
  changeFile(file, sql);
  return file;
}

function changeFile(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test('opens a file of an earlier sandbox, and an empty one', async () => {
  expect(refusalOf(await written('own.db', 'VACUUM'))).toBeUndefined();
  writeFileSync(join(folder, 'empty.db'), '');
  expect(refusalOf(join(folder, 'empty.db'))).toBeUndefined();
});

test.each([
  ['of a later release', 'PRAGMA user_version = 99', 'a later release wrote it (format 99, and this one knows 1)'],
  ['without one of its tables', 'DROP TABLE answers', 'its tables answers are missing'],
  ['with a row that is no JSON', "UPDATE runs SET value = 'no JSON'", 'is not valid JSON'],
  ['of another shape', 'ALTER TABLE runs RENAME COLUMN value TO worth', 'no such column: value'],
])('refuses a file %s by name, with the reason', async (name, sql, reason) => {
  const refusal = refusalOf(await written(`${name}.db`, sql));
  expect(refusal).toContain(`${name}.db" cannot be used: name another one`);
  expect(refusal).toContain(reason);
});

test('refuses a file of another application and leaves it unchanged', () => {
  const file = join(folder, 'cats.db');
  changeFile(file, 'CREATE TABLE cats (id TEXT)');
  expect(refusalOf(file)).toContain('the tables of another application');
  const db = new DatabaseSync(file);
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'cats' }]);
  db.close();
});

test('refuses a file that is not a database, and one in use', () => {
  writeFileSync(join(folder, 'text.db'), 'hello '.repeat(1000));
  expect(refusalOf(join(folder, 'text.db'))).toContain('file is not a database');
  const holder = createSandbox({ specs: testSpecs, db: join(folder, 'held.db') });
  expect(refusalOf(join(folder, 'held.db'))).toContain('another process uses it');
  holder.close();
});
