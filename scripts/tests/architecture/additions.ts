import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { runNode } from '../../run-node.ts';
import type { SourceFile } from './source-files.ts';

/** Something that contributors add again and again. It is added to a copy of the repository, where it has to work. */
type Addition = {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Sources that did not exist. */
  readonly added?: Readonly<Record<string, string>>;
  /** What a user would write to try it; it does not count. */
  readonly tried?: Readonly<Record<string, string>>;
  /** Besides, the copy has to compile. */
  readonly proofs: readonly Proof[];
};

/** Text that is inserted before other text, which names no file: it is in exactly one source. */
type Edit = { readonly before: string; readonly insert: string };
type Proof = { readonly command: readonly string[]; readonly code: number; readonly says: string };

const conform = (...flags: readonly string[]): string[] => ['scripts/switchyard.ts', 'conform', ...flags];
const tsc: Proof = { command: ['node_modules/typescript-7/bin/tsc', '-p', '.'], code: 0, says: '' };

const configuration = (settings: object): Readonly<Record<string, string>> => ({
  'switchyard.config.mjs': `export default ${JSON.stringify(settings)};\n`,
});

const additions: readonly Addition[] = [
  {
    name: 'a rule with its fault',
    edits: [
      {
        before: `  'model.unknown.is-not-found': {`,
        insert: `  'model.unknown.is-no-redirect': {
    sentence: 'Reading an unknown model does not lead elsewhere.',
    requirements: ['MR-MOD-09'],
    ...unknownModel('GET'),
  },
`,
      },
      {
        before: `    fault('forbidden', unknown, refuse(403`,
        insert: `    fault('redirected', unknown, set.status(308)),\n`,
      },
    ],
    proofs: [
      { command: conform('--rule', 'model.unknown.is-no-redirect'), code: 0, says: '1 passed' },
      {
        command: conform('--rule', 'model.unknown.is-no-redirect', '--fault', 'model.unknown.redirected'),
        code: 1,
        says: '1 failed',
      },
      { command: ['scripts/tests/check-requirements.ts'], code: 0, says: '0 problems' },
    ],
  },
  {
    name: 'a setting',
    edits: [
      {
        before: `  'conform.waivers': setting(`,
        insert: `  'conform.closing': setting(kinds.text, 'last line of what is written'),\n`,
      },
      {
        before: `    writeStepSummary(report, io);`,
        insert: `    io.err(\`\${get('conform.closing') ?? ''}\\n\`);\n`,
      },
    ],
    tried: configuration({ conform: { closing: 'added to the file' } }),
    proofs: [
      { command: ['docs/site/configuration.ts', '--write'], code: 0, says: '' },
      { command: conform('--rule', 'model.unknown.is-not-found'), code: 0, says: 'added to the file' },
      {
        command: conform('--rule', 'model.unknown.is-not-found', '--closing', 'given as a flag'),
        code: 0,
        says: 'given as a flag',
      },
    ],
  },
  {
    name: 'a requirement of an owner with its rule',
    edits: [
      {
        before: `    rateLimited: ['a rate-limited workflow token'`,
        insert: `    revoked: ['a revoked workflow token', 'A token that was valid once and was revoked.'],\n`,
      },
      {
        before: `  'workflow.no-access.is-forbidden': {`,
        insert: `  'workflow.revoked.is-unauthorized': {
    sentence: 'A token that was revoked is refused with 401 unauthorized.',
    requirements: ['WX-AUT-07'],
    ...refusedTo('revoked', expectCode(401, 'unauthorized')),
  },
`,
      },
    ],
    tried: configuration({ conform: { live: { credentials: { workflow: { revoked: 'env:REVOKED' } } } } }),
    proofs: [
      {
        command: ['scripts/switchyard.ts', 'explain', 'workflow.revoked'],
        code: 0,
        says: 'conform.live.credentials.workflow.revoked',
      },
      { command: conform('--rule', 'workflow.revoked.is-unauthorized'), code: 0, says: '1 passed' },
    ],
  },
  {
    name: 'a report format',
    edits: [
      {
        before: `  badge: { file: 'badge.svg',`,
        insert: `  counts: { file: 'counts.csv', holds: 'shown', load: async () => (await import('./render-counts.ts')).renderCounts },\n`,
      },
    ],
    added: {
      'contract-tests/src/report/render-counts.ts': `import type { ConformanceReport } from './report.ts';

export function renderCounts({ counts }: ConformanceReport): string {
  return Object.entries(counts).map((row) => \`\${row.join()}\\n\`).join('');
}
`,
    },
    proofs: [
      {
        command: conform('--rule', 'model.unknown.is-not-found', '--report', 'counts', '--out', 'added'),
        code: 0,
        says: '1 passed',
      },
      { command: ['--print', 'fs.readFileSync("added/counts.csv", "utf8")'], code: 0, says: 'passed,1' },
    ],
  },
];

const notCopied = new Set(['.git', 'node_modules', 'dist', '.switchyard']);

/** How many files each addition edits. Throws where one does not work. */
export async function countAddedFiles(
  files: readonly SourceFile[],
): Promise<(readonly [name: string, count: number])[]> {
  const counts: (readonly [string, number])[] = [];
  for (const addition of additions) {
    const copy = mkdtempSync(join(tmpdir(), 'switchyard-addition-'));
    try {
      cpSync(packageRoot(), copy, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
      symlinkSync(join(packageRoot(), 'node_modules'), join(copy, 'node_modules'), 'dir');
      const edited = applyEdits(addition, files);
      for (const [path, text] of [...edited, ...Object.entries(addition.tried ?? {})])
        writeFileSync(join(copy, path), text);
      await checkProofs(addition, [...addition.proofs, tsc], copy);
      counts.push([addition.name, edited.size]);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return counts;
}

/** The edited and the added files by path. */
function applyEdits({ name, edits, added = {} }: Addition, files: readonly SourceFile[]): Map<string, string> {
  const edited = new Map(Object.entries(added));
  const searched = files.filter(({ isTest, path }) => !isTest && !path.startsWith('scripts/tests/architecture/'));
  for (const { before, insert } of edits) {
    const places = searched.filter(({ path, text }) => textOf(path, text).includes(before));
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw new Error(
        `scripts/tests/architecture/additions.ts adds ${name} before ${JSON.stringify(before)}, which is in ${places.length} sources and not in one: an edit has moved it, so correct this text there`,
      );
    edited.set(
      place.path,
      textOf(place.path, place.text).replace(before, () => insert + before),
    );
  }
  return edited;

  function textOf(path: string, text: string): string {
    return edited.get(path) ?? text;
  }
}

async function checkProofs({ name }: Addition, proofs: readonly Proof[], copy: string): Promise<void> {
  for (const { command, code, says } of proofs) {
    const result = await runNode(command, { cwd: copy });
    const output = result.out + result.err;
    if (result.code !== code || !output.includes(says))
      throw new Error(`adding ${name}: ${command.join(' ')} ended with ${result.code} in the copy:\n${output}`);
  }
}
