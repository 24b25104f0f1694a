import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { countAddedFiles } from './additions.ts';
import { findBoundaryProblems, findFolderCycles } from './imports.ts';
import { listDocumentFiles, listProductFiles, listTemplateFiles, type ProductFile } from './sizes.ts';
import { modules, readSourceFiles } from './source-files.ts';
import { traceWalks, type Walks } from './walks.ts';

// Checks imports, prints the figures and walks of `docs/architecture.md` and compares the page; `--write` updates it.
const root = packageRoot();
const page = join(root, 'docs', 'architecture.md');
const files = readSourceFiles(root);
const tolerance = 0.05;

/** Rows of the page's table: label and figure of now. */
function measure(walks: Walks, addedFiles: readonly (readonly [string, number])[]): [string, number][] {
  const product = listProductFiles(root, files);
  const sumLines = (counted: readonly ProductFile[]): number => counted.reduce((sum, { lines }) => sum + lines, 0);
  for (const module of modules)
    process.stdout.write(`${module}: ${sumLines(product.filter(({ path }) => path.startsWith(`${module}/`)))} lines\n`);
  return [
    ['product lines', sumLines(product)],
    ['product files', product.length],
    ['lines of documents and register', sumLines(listDocumentFiles(root))],
    ['lines of templates', sumLines(listTemplateFiles(root))],
    ['files of a status call', walks.status.length],
    ['files of a model', walks.model.length],
    ['files of a rule', walks.rule.length],
    ['files of a configuration', walks.configuration.length],
    [
      'nouns of the glossary',
      readFileSync(join(root, 'docs/reference/glossary.md'), 'utf8').match(/^\| (?!term)[a-z]/gm)?.length ?? 0,
    ],
    ...addedFiles.map(([name, count]): [string, number] => [`files to add ${name}`, count]),
  ];
}

/** A text with the walks of now, and with the figures of now where the text's differ by more than the tolerance. */
function updatePage(text: string, figures: readonly [string, number][], walks: Walks, tolerance: number): string {
  let updated = text;
  for (const [label, value] of figures) {
    const [row, head, shown] = findIn(updated, new RegExp(`^(\\| ${label} \\|[^|]*\\|)([^|]*)\\|$`, 'm'));
    if (Math.abs(Number(shown) - value) > value * tolerance) updated = updated.replace(row, `${head} ${value} |`);
  }
  for (const [name, paths] of Object.entries(walks)) {
    const [walk, head] = findIn(updated, new RegExp(`(<!-- walk: ${name} -->\n\`\`\`\n)[^\`]*`));
    updated = updated.replace(walk, `${head}${byFolder(paths)}`);
  }
  return updated;
}

function findIn(text: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`docs/architecture.md has nothing like ${pattern}`);
  return found;
}

/** One line per folder: `folder/  file.ts  file.ts`. */
function byFolder(paths: readonly string[]): string {
  return [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, members]) => `${folder}/  ${members.map((path) => basename(path)).join('  ')}\n`)
    .join('');
}

const walks = await traceWalks();
const added = await countAddedFiles(files).catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
const figures = measure(walks, added);
for (const [label, value] of figures) process.stdout.write(`${label}: ${value}\n`);
const written = readFileSync(page, 'utf8');
if (process.argv.includes('--write')) writeFileSync(page, updatePage(written, figures, walks, 0));
const text = readFileSync(page, 'utf8');
const due = updatePage(text, figures, walks, tolerance);
const lacking = due.split('\n').filter((line) => !text.split('\n').includes(line));
const problems = [
  ...[findBoundaryProblems, findFolderCycles].flatMap((find) => find(files)),
  ...(due === text ? [] : [`docs/architecture.md is out of date: npm run measure updates ${lacking.join('\n')}`]),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
