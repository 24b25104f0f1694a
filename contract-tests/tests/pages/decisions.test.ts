import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../specs/src/index.ts';

const folder = join(packageRoot(), 'docs/adr');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const records = readdirSync(folder).filter((name) => name !== 'README.md');
const status = /^Superseded by \[ADR \d+\]\(([^)]+)\)( in )?/;
/** The text below the title, where a record says that it is superseded. */
const readStatus = (name: string): RegExpExecArray | null =>
  status.exec(read(name).split('\n').slice(1).join('\n').trim());

test('the index lists each decision once, by its title, with what supersedes it', () => {
  const lines = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const wanted = records.map((name) => {
    const [, title] = /^# (.+)$/m.exec(read(name)) ?? [];
    const by = readStatus(name)?.[1];
    const note = by === undefined ? '' : `, in part superseded by [${Number.parseInt(by, 10)}](${by})`;
    return `- [${title}](${name})${note}`;
  });
  expect(lines.sort()).toEqual(wanted.sort());
});

test('a record that is superseded as a whole is deleted', () => {
  const whole = records.filter((name) => {
    const found = readStatus(name);
    return found !== null && found[2] === undefined;
  });
  expect(whole).toEqual([]);
});

test('of a pair of records, the older one says what the newer one supersedes', () => {
  const silent = records.flatMap((newer) => {
    const [, sentence = ''] = /^(Supersedes [\s\S]*?)\n\n/m.exec(read(newer)) ?? [];
    const olders = [...sentence.matchAll(/\]\(([^)]+)\)/g)].map(([, older = '']) => older);
    return olders.filter((older) => readStatus(older)?.[1] !== newer).map((older) => `${older} does not name ${newer}`);
  });
  expect(silent).toEqual([]);
});
