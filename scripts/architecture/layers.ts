import { type SourceFile, type Wing, wingOf } from './source-files.ts';

/** What each wing may import of ours; only through the face, `src/index.ts`. */
const mayImport: Record<Wing, readonly Wing[]> = {
  specs: [],
  runtime: [],
  generator: ['specs'],
  sandbox: ['specs'],
  'contract-tests': ['specs'],
  scripts: ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests'],
};

/** Type-only arrows that a wing needs beside its faces. */
const typeOnlyArrows: readonly { from: string; to: string }[] = [
  { from: 'generator/', to: 'runtime/src/descriptor.ts' },
];

/** Packages that one file of a wing names for all others. */
const packageOwners: readonly { name: string; owners: readonly string[] }[] = [
  {
    name: 'yaml',
    owners: [
      'specs/src/read-document.ts',
      'contract-tests/src/report/required-rules.ts',
      'contract-tests/src/traceability/unobservable.ts',
    ],
  },
  { name: 'ajv', owners: ['specs/src/schema-check.ts'] },
  { name: 'ajv-formats', owners: ['specs/src/schema-check.ts'] },
  { name: 'openapi-fetch', owners: ['runtime/src/paths-client.ts'] },
  { name: 'handlebars', owners: ['generator/src/emit/template.ts'] },
  { name: 'node:sqlite', owners: ['sandbox/src/state/store.ts'] },
];

/** Imports that run up or sideways, reach behind a face, or take a package around its owner. */
export function layerProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...wingProblems(file), ...(file.isTest ? [] : packageProblems(file))]);
}

function wingProblems(file: SourceFile): string[] {
  const from = wingOf(file.path);
  const isComposition = file.path.startsWith('contract-tests/tests/');
  return file.imports.flatMap(({ target, isOwn, typeOnly }) => {
    const to = isOwn ? wingOf(target) : undefined;
    if (from === undefined || to === undefined || from === to) return [];
    if (typeOnly && typeOnlyArrows.some((arrow) => file.path.startsWith(arrow.from) && target === arrow.to)) return [];
    if (!isComposition && !mayImport[from].includes(to))
      return [`${file.path} imports ${target}: ${from} must not import ${to}`];
    return target === `${to}/src/index.ts`
      ? []
      : [`${file.path} imports ${target}: another wing is imported through ${to}/src/index.ts`];
  });
}

function packageProblems(file: SourceFile): string[] {
  return file.imports.flatMap(({ target }) => {
    const owned = packageOwners.find(({ name }) => target === name || target.startsWith(`${name}/`));
    return owned === undefined || owned.owners.includes(file.path)
      ? []
      : [`${file.path} imports ${target}, which is for ${owned.owners.join(', ')}`];
  });
}
