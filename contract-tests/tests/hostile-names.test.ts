import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { runProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { reportFormats } from '../src/report/formats.ts';
import { findControlCharacter } from './attack/output.ts';
import { type Behaviour, honestRouter, serve } from './attack/router.ts';
import { hostileText } from './attack/texts.ts';

const seed = 20_261_123;

/** Serves a catalog page of hostile names with a hostile cursor. Half of the ids are valid in a path. */
function listHostile(count: number): Behaviour {
  const entry = fc.array(hostileText, { minLength: 5, maxLength: 5 });
  const data = fc.sample(entry, { seed, numRuns: count }).map((texts, at) => {
    const [provider = '', model = '', name = '', value, charges] = texts.map((text) => text.slice(0, 120));
    const id = `${provider}/${model}`.replace(at % 2 === 0 ? /$^/ : /(?<=\/.*)\/|[\p{Cc}\p{Cs}]/gu, '');
    return { id, provider, model, [name]: value, billing: { charges_on_policy_rejection: charges } };
  });
  return async ({ url }, response) => {
    if (url.pathname !== '/v2/models') return false;
    response.writeHead(200, { 'content-type': 'application/json', 'x-service-request-id': 'r' });
    response.end(JSON.stringify({ data, has_more: false, limit: 100, next_cursor: data[0]?.id }));
    return true;
  };
}

test(`hostile names in a catalog are escaped in all reports and on the console (seed ${seed})`, {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-names-'));
  const router = await serve(honestRouter(new Map()), listHostile(20));
  try {
    const env = { SWITCHYARD_API_KEY: 'sk-of-hostile-names', GITHUB_ACTIONS: 'true' };
    const io = fakeIo({ env, workingFolder: folder });
    const reports = ['--out', 'report', '--report', `${reportFormats}`, '--rule', 'catalog.entry.*', '--verbose'];
    expect(await runProgram(['conform', '--router-url', router.url, ...reports], io)).toBe(1);
    const { out, err } = io.written;
    const annotations = out.split('\n').filter((line) => line.startsWith('::'));
    for (const line of annotations) expect(line).toMatch(/^::error title=[^:,]*::/);
    const rest = out.split('\n').filter((line) => !line.startsWith('::'));
    expect(rest.join('\n') + err, 'a command to a build service').not.toMatch(/^\s*::|##\w*\[/m);
    expect(findControlCharacter(out + err), 'a control character on the console').toBeUndefined();

    const names = readdirSync(join(folder, 'report'));
    const read = (name: string): string => readFileSync(join(folder, 'report', name), 'utf8');
    expect(names).toEqual(expect.arrayContaining(['junit.xml', 'report.sarif', 'report.md', 'report.html']));
    for (const name of ['report.md', 'report.html'])
      expect(findControlCharacter(read(name).replaceAll('\t', ' ')), name).toBeUndefined();
    for (const name of ['report.sarif', 'result.json']) expect(JSON.parse(read(name))).not.toEqual({});
    expect(convert(read('junit.xml'), { format: 'object' })).not.toEqual({});
    expect(read('result.json'), 'the report must quote the hostile names').toMatch(/add-mask|pwned|owned/);
    expect(read('report.html').match(/<script/g)).toHaveLength(1);
    const outside = read('report.md')
      .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
      .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '');
    for (const mark of ['](javascript', '<script', '<!--', '::error', 'owned']) expect(outside).not.toContain(mark);
  } finally {
    await router.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
