import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listRules } from '../contract-tests/src/index.ts';
import { listFaults } from '../sandbox/src/index.ts';
import { packageRoot } from '../specs/src/index.ts';
import { countAddedFiles } from './architecture/additions.ts';
import { findBoundaryProblems, findFolderCycles, findStaleBoundaries } from './architecture/imports.ts';
import {
  listDocumentFiles,
  listProductFiles,
  listTemplateFiles,
  measureModules,
  measureSize,
  type ProductFile,
} from './architecture/sizes.ts';
import { findNameProblems, readSourceFiles } from './architecture/source-files.ts';
import { traceWalks, type Walks } from './architecture/walks.ts';

// Checks imports, prints the figures and walks of `docs/architecture.md` and compares the page; `--write` updates it.
const root = packageRoot();
const page = join(root, 'docs', 'architecture.md');
const files = readSourceFiles(root);
const tolerance = 0.05;

/** Rows of the page's table: label and figure of now. */
function measure(walks: Walks, addedFiles: readonly (readonly [string, number])[]): [string, number][] {
  const product = listProductFiles(root, files);
  for (const [module, size] of measureModules(product, files)) {
    const { median, p95, max } = size.functions;
    process.stdout.write(
      `${module.padEnd(15)} ${size.lines} lines, ${size.files} files (median ${size.medianFile}); functions: median ${median}, p95 ${p95}, max ${max} lines\n`,
    );
  }
  const size = measureSize(product, files);
  const sumLines = (counted: readonly ProductFile[]): number => counted.reduce((sum, { lines }) => sum + lines, 0);
  const sumLinesIn = (folder: string, except: string = '-'): number =>
    sumLines(product.filter(({ path }) => path.startsWith(folder) && !path.startsWith(except)));
  return [
    ['product lines', size.lines],
    ['product files', size.files],
    ['lines of documents and register', sumLines(listDocumentFiles(root))],
    ['lines of templates', sumLines(listTemplateFiles(root))],
    ['lines of a file, median', size.medianFile],
    ['lines of a function, median', size.functions.median],
    ['lines of a function, p95', size.functions.p95],
    ['files of a status call', walks.status.length],
    ['files of a model', walks.model.length],
    ['files of a rule', walks.rule.length],
    ['files of a configuration', walks.configuration.length],
    ['lines per rule', Math.round(sumLinesIn('contract-tests/src/rules/') / listRules().length)],
    [
      'lines per fault',
      Math.round(sumLinesIn('sandbox/src/faults/', 'sandbox/src/faults/variants/') / listFaults().length),
    ],
    [
      'nouns of the glossary',
      readFileSync(join(root, 'docs/glossary.md'), 'utf8').match(/^\| (?!term)[a-z]/gm)?.length ?? 0,
    ],
    ...addedFiles.map(([name, count]): [string, number] => [`files to add ${name}`, count]),
  ];
}

/** The page with the figures and walks of now. */
function updatedPage(text: string, figures: readonly [string, number][], walks: Walks): string {
  const withFigures = figures.reduce(
    (current, [label, value]) =>
      current.replace(new RegExp(`^(\\| ${label} \\|[^|]*\\|)[^|]*\\|$`, 'm'), `$1 ${value} |`),
    text,
  );
  return Object.entries(walks).reduce(
    (current, [name, paths]) =>
      current.replace(
        new RegExp(`(<!-- walk: ${name} -->\n\`\`\`\n)[^\`]*`),
        (_, head: string) => `${head}${byFolder(paths)}`,
      ),
    withFigures,
  );
}

/** One line per folder: `folder/  file.ts  file.ts`. */
function byFolder(paths: readonly string[]): string {
  return [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, members]) => `${folder}/  ${members.map((path) => basename(path)).join('  ')}\n`)
    .join('');
}

function figureProblems(text: string, figures: readonly [string, number][]): string[] {
  return figures.flatMap(([label, value]) => {
    const shown = Number(new RegExp(`^\\| ${label} \\|[^|]*\\|([^|]*)\\|$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return Math.abs(shown - value) <= value * tolerance ? [] : [`${label}: the page says ${shown}, now it is ${value}`];
  });
}

function walkProblems(text: string, walks: Walks): string[] {
  return Object.entries(walks)
    .filter(([name, paths]) => !text.includes(`<!-- walk: ${name} -->\n\`\`\`\n${byFolder(paths)}\`\`\``))
    .map(([name]) => `the walk of a ${name} differs`);
}

const walks = await traceWalks();
const added = await countAddedFiles(files).catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
const figures = measure(walks, added);
for (const [label, value] of figures) process.stdout.write(`${label}: ${value}\n`);
if (process.argv.includes('--write')) writeFileSync(page, updatedPage(readFileSync(page, 'utf8'), figures, walks));
const text = readFileSync(page, 'utf8');
const problems = [
  ...[findBoundaryProblems, findFolderCycles, findNameProblems].flatMap((find) => find(files)),
  ...findStaleBoundaries(root),
  ...[...figureProblems(text, figures), ...walkProblems(text, walks)].map(
    (problem) => `docs/architecture.md: ${problem}; npm run measure updates the page`,
  ),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
