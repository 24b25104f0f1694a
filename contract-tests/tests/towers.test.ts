import { expect, test } from 'vitest';
import { createCredentialDetector, createRedactor } from '../../specs/src/index.ts';
import { seedRandom } from './attack/attack-class.ts';
import { randomCredential } from './attack/credentials.ts';
import { buildTower } from './attack/encodings.ts';

const seed = Number(process.env['SEED'] ?? Math.trunc(performance.timeOrigin)) % 2 ** 31;

test('a credential is found and left out in any tower of encodings', { timeout: 60_000 }, () => {
  for (let round = 0; round < 100; round++) {
    const random = seedRandom({ seed }, 'towers', round);
    const credential = randomCredential(random);
    const before = random.one(['', 'key=', 'user:', '{"a":"', 'Bearer ']);
    const tower = buildTower(`${before}${credential}${random.one(['', '"}', ', refused'])}`, random.size(1, 5), random);
    const given = `got ${tower.text} of you`;
    const where = `seed ${seed}, round ${round}: ${credential} in ${tower.names.join(', ')}: ${given.slice(0, 300)}`;
    const isHeld = createCredentialDetector([credential]);
    expect(isHeld(given), where).toBe(true);
    const shown = createRedactor([credential])(given);
    expect(shown, where).toContain('[redacted]');
    expect(isHeld(shown), `${where} became ${shown.slice(0, 300)}`).toBe(false);
  }
});

test('an escaped line end may stand within the number of an entity', () => {
  const credential = 'sk-Live_9f3Q7eXx';
  const numbers = credential.replace(/./g, (sign) => `&#${String(sign.charCodeAt(0)).padStart(9, '0')};`);
  for (let columns = 13; columns < 26; columns += 1) {
    const lines = JSON.stringify(numbers.replace(new RegExp(`.{${columns}}`, 'g'), '$&\n'));
    expect(createCredentialDetector([credential])(lines), lines).toBe(true);
  }
});

test('ten encodings around each other are unwrapped, and what they take of the size of a text', () => {
  const wrap = (text: string, levels: number, encode: (text: string) => string): string =>
    levels === 0 ? text : wrap(encode(text), levels - 1, encode);
  const credential = 'sk-Live_9f3Q7eXx';
  const escaped = credential.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const isHeld = createCredentialDetector([credential]);
  expect([9, 10].map((levels) => isHeld(wrap(escaped, levels, (text) => text.replaceAll('%', '%25'))))).toEqual([
    true,
    false,
  ]);
  // Beyond the bound of size a text would count as one that holds it: this one unwraps to four times itself.
  expect(isHeld(wrap('V'.repeat(100_000), 2, btoa))).toBe(false);
});
