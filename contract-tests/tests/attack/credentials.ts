import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../../specs/src/index.ts';
import { notations } from '../notations.ts';
import type { Random } from './attack-class.ts';
import { pathsIn } from './output-checks.ts';

const letters = [...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'];

/** A credential of this run, as makers of keys print them; no text holds it by accident. */
export function randomCredential(random: Random): string {
  const body = Array.from({ length: random.size(11, 60) }, () => random.one(letters)).join('');
  return `${random.one(['sk-', 'key_', '', 'eyJ', 'a+b/', 'p%25'])}${body}${random.one(['', '==', '-_', '/x'])}`;
}

const toBytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const hex = (text: string): string => toBytes(text).toString('hex');

/** How a response of this case carries a credential: in one notation, or in two around each other. */
export function randomForm(random: Random): (credential: string) => string {
  const inner = random.one(Object.values(notations));
  const outer = random.one(Object.values(notations));
  return random.chance(0.5) ? inner : (credential) => outer(inner(credential));
}

/** Where a text shows a credential: whole or more than half of it, in any of the forms. */
export function leakIn(text: string, credential: string): string | undefined {
  const length = Math.max(8, Math.ceil(credential.length * 0.6));
  const parts = Array.from({ length: credential.length - length + 1 }, (_, at) => credential.slice(at, at + length));
  const readings: Readonly<Record<string, () => string>> = {
    'as it is': () => text,
    percent: () =>
      text.replace(/%([0-9a-f]{2})/gi, (_, pair: string) => String.fromCharCode(Number.parseInt(pair, 16))),
    'JSON escapes': () =>
      text.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  };
  for (const [name, read] of Object.entries(readings)) {
    const lower = read().toLowerCase();
    if (parts.some((part) => lower.includes(part.toLowerCase()))) return name;
  }
  const lower = text.toLowerCase();
  if (parts.some((part) => lower.includes(hex(part)))) return 'hex';
  if (parts.some((part) => inBase64(part).some((form) => text.includes(form)))) return 'base64';
  return createRedactor([credential])(text) === text ? undefined : 'two notations around each other';
}

/** What base64 makes of a text at each offset, without the letters that its neighbours decide. */
function inBase64(part: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const skipped = Math.ceil((offset * 4) / 3);
    const whole = toBytes('x'.repeat(offset) + part);
    const length = Math.floor((whole.length * 8) / 6);
    const form = whole.toString('base64').slice(skipped, length);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The first leak in what was printed and in each file below a folder. */
export function findLeak(printed: string, folder: string, credentials: readonly string[]): string | undefined {
  const texts: [string, () => string][] = [
    ['the console', () => printed],
    ...pathsIn(folder).map((path): [string, () => string] => [
      path,
      () => `${path}\n${readFileSync(join(folder, path), 'utf8')}`,
    ]),
  ];
  for (const [place, read] of texts) {
    const text = read();
    for (const credential of credentials) {
      const form = leakIn(text, credential);
      if (form !== undefined) return `${place} holds the credential (${form})`;
    }
  }
  return undefined;
}
