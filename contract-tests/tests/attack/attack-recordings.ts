import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { reportFormats } from '../../src/report/formats.ts';
import { runCommand } from './child.ts';
import { findProblems } from './output.ts';
import { credential, encode, hostileText, notation, weighted } from './texts.ts';
import { type AttackTime, tryCases } from './try-cases.ts';

type Header = { readonly name: string; readonly value: unknown };

/** Headers that contain a credential, in the forms that clients and servers send. */
const carriers: readonly ((key: string) => Header)[] = [
  (key) => ({ name: 'X-API-Key', value: key }),
  (key) => ({ name: 'authorization', value: `Bearer ${key}` }),
  (key) => ({ name: 'Authorization', value: `Bearer ${key}, Bearer another-token` }),
  (key) => ({ name: 'Authorization', value: `Token token="${key}"` }),
  (key) => ({ name: 'Authorization', value: `Basic ${btoa(`${key}:`)}` }),
  (key) => ({ name: 'Proxy-Authorization', value: `Basic ${btoa(`user:${key}`)}` }),
  (key) => ({ name: 'Cookie', value: `theme=dark; sid=${key}; lang=en` }),
  (key) => ({ name: 'Set-Cookie', value: `sid=${key}; Path=/; HttpOnly` }),
];

/** Attacks `conform --har` with HAR files that other programs could have written. */
export function attackRecordings(parent: string, time: AttackTime) {
  const cases = fc.tuple(credential, fc.constantFrom(...carriers)).chain(([key, carry]) =>
    fc.record({
      key: fc.constant(key),
      entries: fc.array(makeEntry(key, carry(key)), { minLength: 1, maxLength: 12 }),
    }),
  );
  return tryCases(time, {
    cases,
    check: async ({ key, entries }) => {
      const folder = mkdtempSync(join(parent, 'case-'));
      writeFileSync(join(folder, 'traffic.har'), JSON.stringify({ log: { version: '1.2', entries } }));
      const flags = ['--har', 'traffic.har', '--out', 'report', '--report', `${reportFormats}`, '--verbose'];
      const ended = await runCommand('conform', flags, { cwd: folder });
      return findProblems(ended, { codes: [0, 1, 3, 4], credentials: [key], folder: join(folder, 'report') });
    },
  });
}

/** Generates an exchange that has the credential in a header, repeats it in other texts, and has some members of wrong types. */
function makeEntry(key: string, carrier: Header): fc.Arbitrary<unknown> {
  const text = weighted([4, hostileText], [2, notation.map((form) => encode(key, form))]);
  const odd = weighted<unknown>([12, text], [1, fc.constantFrom(null, 7, {}, [], true)]);
  const mostly = (usual: unknown): fc.Arbitrary<unknown> => weighted([9, fc.constant(usual)], [1, odd]);
  const isReceived = carrier.name === 'Set-Cookie';
  const headers = (own: readonly Header[]): fc.Arbitrary<Header[]> =>
    fc.array(fc.record({ name: text, value: odd }), { maxLength: 3 }).map((more) => [...own, ...more]);
  const entry = fc.record({
    startedDateTime: mostly('2026-01-01T00:00:00.000Z'),
    time: mostly(5),
    request: fc.record({
      method: mostly('GET'),
      url: fc
        .tuple(fc.constantFrom('?limit=1&x=', '/', '?cursor='), text)
        .map((parts) => `https://router.test/v2/models${parts.join('')}`),
      headers: headers(isReceived ? [] : [carrier]),
      postData: fc.option(fc.record({ text: odd }), { nil: undefined }),
    }),
    response: fc.record({
      status: fc.constantFrom(200, 401, 404, 500),
      headers: headers(isReceived ? [carrier] : []),
      content: fc.record({
        text: fc.oneof(
          odd,
          odd.map((detail) => JSON.stringify({ detail })),
        ),
      }),
    }),
  });
  return weighted<unknown>([12, entry], [1, odd]);
}
