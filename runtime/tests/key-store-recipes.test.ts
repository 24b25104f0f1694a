import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createKeyStore, type KeyRecords } from '../src/key-store/index.ts';
import { keyRecordsTests } from './key-records-tests.ts';
import { keyStoreTests } from './key-store-tests.ts';
import { manualClock } from './scripted-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'key-stores-'));
const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/store-keys-in-a-database.md'), 'utf8');
const source = join(import.meta.dirname, '../src');
let count = 0;

/** Returns the exports of a program of the how-to page. */
async function loadRecipe(name: string): Promise<Record<string, unknown>> {
  const [, section = ''] = page.split(`### ${name}\n`);
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(section) ?? [];
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, code);
  return import(pathToFileURL(file).href);
}

describe('the records of SQLite', async () => {
  const { createSqliteRecords } = (await loadRecipe('SQLite')) as { createSqliteRecords: (path: string) => KeyRecords };
  const create = () => createSqliteRecords(join(folder, `keys-${count++}.db`));
  test.each(keyRecordsTests)('$name', ({ run }) => run(create));
  test.each(keyStoreTests)('a key store that uses these records: $name', ({ run }) =>
    run(() => createKeyStore(create(), { clock: manualClock() })),
  );
});

test('20 programs that start at the same time share a new database or folder', async () => {
  const program = `
    import { createInterface } from 'node:readline';
    import { createFileRecords } from '${join(source, 'node/file-key-store.ts')}';
    import { createSqliteRecords } from './SQLite.ts';
    const record = { text: 't', holder: 'h' };
    for await (const place of createInterface({ input: process.stdin })) {
      const records = place.endsWith('.db') ? createSqliteRecords(place) : createFileRecords(place);
      const added = [await records.add({ key: process.argv[2], ...record }), await records.add({ key: 'shared', ...record })];
      console.log(JSON.stringify(added));
    }`;
  writeFileSync(join(folder, 'start.mts'), program);
  const programs = Array.from({ length: 20 }, (_, at) => {
    const { stdin, stdout } = spawn(process.execPath, [join(folder, 'start.mts'), `own-${at}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return { stdin, lines: createInterface({ input: stdout })[Symbol.asyncIterator]() };
  });
  // All programs have started after the first round.
  for (const place of ['warm-up', 'new', '1.db', '2.db', '3.db', '4.db', '5.db', '6.db']) {
    for (const { stdin } of programs) stdin.write(`${join(folder, `start-${place}`)}\n`);
    const added = await Promise.all(programs.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? '')));
    expect(added.filter(([isOwn]) => isOwn)).toHaveLength(20);
    expect(added.filter(([, isShared]) => isShared)).toHaveLength(1);
  }
  for (const { stdin } of programs) stdin.end();
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stdout.write('the key store in Redis was not tested: redis-server is missing\n');

let redis: { readonly server: ChildProcess; readonly send: (...words: string[]) => Promise<unknown> } | undefined;
afterAll(() => {
  redis?.server.kill();
  rmSync(folder, { recursive: true });
});

describe.runIf(hasRedis)('the records of Redis', () => {
  const create = async () => {
    redis ??= await startRedis();
    const { createRedisRecords } = (await loadRecipe('Redis')) as {
      createRedisRecords: (send: (...words: string[]) => Promise<unknown>, name: string) => KeyRecords;
    };
    return createRedisRecords(redis.send, `{calls-${count++}}`);
  };
  test.each(keyRecordsTests)('$name', ({ run }) => run(create));
  test.each(keyStoreTests)('a key store that uses these records: $name', ({ run }) =>
    run(async () => createKeyStore(await create(), { clock: manualClock() })),
  );
});

test('the program for Postgres can be loaded', async () => {
  expect(await loadRecipe('Postgres')).toMatchObject({ createPostgresRecords: expect.any(Function) });
});

async function startRedis() {
  const path = join(folder, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const socket = await connect(path);
  return { server, send: createSender(socket) };
}

async function connect(path: string): Promise<Socket> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = createConnection(path);
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    await new Promise((later) => setTimeout(later, 50));
  }
  return expect.unreachable('redis-server does not answer');
}

/** Creates the part of a Redis client that the recipe needs. Responses arrive in the order of the commands. */
function createSender(socket: Socket): (...words: string[]) => Promise<unknown> {
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let reply = readReply(received, 0); reply !== undefined; reply = readReply(received, 0)) {
      received = received.subarray(reply.end);
      const { resolve, reject } = waiting.shift() ?? expect.unreachable('an answer to nothing');
      if (reply.value instanceof Error) reject(reply.value);
      else resolve(reply.value);
    }
  });
  return (...words) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
}

/** Returns undefined for an incomplete response. */
function readReply(bytes: Buffer, start: number): { value: unknown; end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd < 0) return undefined;
  const [kind, text] = [String.fromCharCode(bytes[start] ?? 0), bytes.toString('utf8', start + 1, lineEnd)];
  const end = lineEnd + 2;
  if (kind === '+') return { value: text, end };
  if (kind === '-') return { value: new Error(text), end };
  const size = Number(text);
  if (kind === ':') return { value: size, end };
  if (size < 0) return { value: null, end };
  if (kind === '$')
    return bytes.length < end + size + 2
      ? undefined
      : { value: bytes.toString('utf8', end, end + size), end: end + size + 2 };
  const values: unknown[] = [];
  let at = end;
  for (let index = 0; index < size; index += 1) {
    const part = readReply(bytes, at);
    if (part === undefined) return undefined;
    values.push(part.value);
    at = part.end;
  }
  return { value: values, end: at };
}
