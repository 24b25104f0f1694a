import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { beat, follow, isFree, readClaim } from '../src/node/claim.ts';

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
const elsewhere = 'other';

it('is held by one of many who ask for it', async () => {
  const place = newPlace();
  const free = await readClaim(place);
  const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => follow(place, free, `holder-${index}`)));
  expect(asked.filter(Boolean)).toHaveLength(1);
  expect(await readClaim(place)).toMatchObject({ number: 1, holder: `holder-${asked.indexOf(true)}` });
});

it('is free ten seconds after its last heartbeat', async () => {
  const place = newPlace();
  leave(place, 1, elsewhere);
  expect(isFree(await readClaim(place))).toBe(true);
  await beat(place, { number: 1 });
  expect(await readClaim(place)).toMatchObject({ holder: 'other' });
  expect(isFree(await readClaim(place))).toBe(false);
  leave(place, 1, elsewhere, new Date(Date.now() + 60_000)); // the clock was set back since
  expect(isFree(await readClaim(place))).toBe(true);
});

it('is free at once when its program releases it', async () => {
  const place = newPlace();
  await follow(place, await readClaim(place), 'me');
  await follow(place, await readClaim(place), '');
  expect(await readClaim(place)).toMatchObject({ number: 2, holder: '' });
  expect(isFree(await readClaim(place))).toBe(true);
});

it.each(['', '{"holder":5}', '\u0000'])(
  'with the damaged text %j is held until it is stale, and can be followed',
  async (text) => {
    const place = newPlace();
    leave(place, 1, text, new Date());
    expect(await readClaim(place)).toMatchObject({ holder: '?' });
    expect(isFree(await readClaim(place))).toBe(false);
    leave(place, 1, text);
    expect(isFree(await readClaim(place))).toBe(true);
    expect(await follow(place, await readClaim(place), 'me')).toBe(true);
  },
);

it.each(['x', 'Infinity', '9007199254740992', '1.5'])('ignores a file with the number %s', async (number) => {
  const place = newPlace();
  writeFileSync(join(place.folder, `it.claim-${number}`), '');
  expect(await follow(place, await readClaim(place), 'me')).toBe(true);
  expect(await readClaim(place)).toMatchObject({ number: 1, holder: 'me' });
});

it('leaves no file behind but the last one', async () => {
  const place = newPlace();
  leave(place, 3, elsewhere);
  leave(place, 4, elsewhere); // its process was killed before it removed the third
  expect(await follow(place, await readClaim(place), 'me')).toBe(true);
  expect(readdirSync(place.folder)).toEqual(['it.claim-5']);
});

describe('of a killed process, which did not remove the earlier one,', () => {
  it.each([
    ['silent', silent],
    ['fresh, so that its process may still run', new Date()],
  ])('is followed although the earlier one is %s', async (_, at) => {
    const place = newPlace();
    leave(place, 1, elsewhere, at);
    leave(place, 2, elsewhere, at);
    const killed = await readClaim(place);
    expect(isFree(killed)).toBe(at === silent);
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
