import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { beat, follow, readClaim } from '../src/node/claim.ts';

const root = mkdtempSync(join(tmpdir(), 'claims-'));
afterAll(() => rmSync(root, { recursive: true }));
const newPlace = () => ({ folder: mkdtempSync(join(root, 'place-')), name: 'it' });
type Place = ReturnType<typeof newPlace>;

const silent = new Date(Date.now() - 11_000);
const leave = ({ folder, name }: Place, number: number, text: string, at = silent): void => {
  const path = join(folder, `${name}.claim-${number}`);
  writeFileSync(path, text);
  utimesSync(path, at, at);
};
const elsewhere = JSON.stringify({
  holder: 'other',
  since: 1,
  owner: { machine: 'another', task: '1/task/1', start: '1' },
});

const taskOf = (pid: number): string => `${pid}/task/${pid}`;

it('is held by one of many who ask for it', async () => {
  const place = newPlace();
  const free = await readClaim(place);
  const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => follow(place, free, `holder-${index}`)));
  expect(asked.filter(Boolean)).toHaveLength(1);
  expect(await readClaim(place)).toMatchObject({ number: 1, holder: `holder-${asked.indexOf(true)}` });
});

it.runIf(process.platform === 'linux')(
  'is of a live process, one that ended, or one that nobody has waited for',
  async () => {
    const place = newPlace();
    await follow(place, await readClaim(place), 'me');
    expect(await readClaim(place)).toMatchObject({ life: 'alive' });
    const mine = JSON.parse(readFileSync(join(place.folder, 'it.claim-1'), 'utf8'));
    const claimOf = (owner: object): void =>
      leave(place, 1, JSON.stringify({ ...mine, owner: { ...mine.owner, ...owner } }), new Date());
    claimOf({ start: '1' }); // an earlier process with this number
    expect(await readClaim(place)).toMatchObject({ life: 'gone' });
    claimOf({ task: taskOf(2 ** 22 + 1) });
    expect(await readClaim(place)).toMatchObject({ life: 'gone' });

    // The shell becomes a program that does not wait for the shell's child.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill());
    const pid = Number(await new Promise((print) => parent.stdout.once('data', print)));
    const readStat = (): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    claimOf({ task: taskOf(pid), start: readStat()[21] });
    expect(await readClaim(place)).toMatchObject({ life: 'alive' });
    await expect.poll(() => readStat()[2]).toBe('Z');
    expect(await readClaim(place)).toMatchObject({ life: 'gone' });
  },
);

it.runIf(process.platform === 'linux')('of another thread of this process lives as long as the thread', async () => {
  const place = newPlace();
  await follow(place, await readClaim(place), 'me');
  const mine = JSON.parse(readFileSync(join(place.folder, 'it.claim-1'), 'utf8'));
  const thread = new Worker(
    `const { readFileSync, readlinkSync } = require('node:fs');
    const task = readlinkSync('/proc/thread-self');
    const start = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1).split(' ')[19];
    require('node:worker_threads').parentPort.once('message', () => {}).postMessage({ task, start });`,
    { eval: true },
  );
  const [owner] = await once(thread, 'message');
  leave(place, 1, JSON.stringify({ ...mine, owner: { ...mine.owner, ...owner } })); // too busy to give a sign
  expect(await readClaim(place)).toMatchObject({ life: 'alive' });
  await thread.terminate();
  await expect.poll(() => readClaim(place)).toMatchObject({ life: 'gone' });
});

it('of another machine may be alive for ten seconds after its last sign of life', async () => {
  const place = newPlace();
  leave(place, 1, elsewhere);
  expect(await readClaim(place)).toMatchObject({ life: 'gone' });
  await beat(place, { number: 1 });
  expect(await readClaim(place)).toMatchObject({ life: 'unknown', holder: 'other', since: 1 });
  leave(place, 1, elsewhere, new Date(Date.now() + 60_000)); // the clock was set back since
  expect(await readClaim(place)).toMatchObject({ life: 'gone' });
});

it.each(['', '{"holder":"oth', 'null'])('that was being written (%j) is no different', async (text) => {
  const place = newPlace();
  leave(place, 1, text, new Date());
  expect(await readClaim(place)).toMatchObject({ life: 'unknown', holder: '?' });
  leave(place, 1, text);
  expect(await readClaim(place)).toMatchObject({ life: 'gone' });
});

it.each(['x', 'Infinity', '9007199254740992', '1.5'])(
  'named %s is none, since no number follows it',
  async (number) => {
    const place = newPlace();
    writeFileSync(join(place.folder, `it.claim-${number}`), '');
    expect(await follow(place, await readClaim(place), 'me')).toBe(true);
    expect(await readClaim(place)).toMatchObject({ number: 1, holder: 'me' });
  },
);

it('leaves no file behind but the last one', async () => {
  const place = newPlace();
  leave(place, 3, elsewhere);
  leave(place, 4, elsewhere); // its process was killed before it removed the third
  expect(await follow(place, await readClaim(place), 'me')).toBe(true);
  expect(readdirSync(place.folder)).toEqual(['it.claim-5']);
});

it.each(['null', '7', '{"holder":5,"since":{},"owner":7}', '{"owner":null}'])(
  'that was damaged to %s can be followed',
  async (text) => {
    const place = newPlace();
    leave(place, 1, text);
    const claim = await readClaim(place);
    expect(claim).toMatchObject({ holder: expect.any(String), life: 'gone' });
    expect(await follow(place, claim, 'me')).toBe(true);
  },
);

describe('of a killed process, which did not remove the earlier one,', () => {
  // A process that is gone shows only on its own machine; of another one, the last sign of life does.
  it.each([
    ['silent', silent],
    ['fresh, so that nobody knows whether it lives', new Date()],
  ])('is followed although the earlier one is %s', async (_, at) => {
    const place = newPlace();
    leave(place, 1, elsewhere, at);
    leave(place, 2, elsewhere, at);
    const killed = await readClaim(place);
    expect(killed).toMatchObject({ number: 2, life: at === silent ? 'gone' : 'unknown' });
    expect(await follow(place, killed, 'me')).toBe(true);
    expect(readdirSync(place.folder)).toEqual(['it.claim-3']);
    expect(await readClaim(place)).toMatchObject({ number: 3, holder: 'me' });
  });
});

it('is not taken where all claims were removed and somebody holds it again', async () => {
  const place = newPlace();
  leave(place, 7, elsewhere);
  const earlier = await readClaim(place);
  rmSync(join(place.folder, 'it.claim-7'));
  leave(place, 1, elsewhere, new Date());
  expect(await follow(place, earlier, 'me')).toBe(false);
  expect(readdirSync(place.folder)).toEqual(['it.claim-1']);
});
