import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../specs/src/index.ts';

const root = packageRoot();
const madeByRuns = ignoredFolders();
const topLevel = new Set(readdirSync(root).filter((name) => !madeByRuns.has(name)));
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...listPages('docs')];

function listPages(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** Folders that a run makes: whether they are there says when the check ran, nothing about the pages. */
function ignoredFolders(): ReadonlySet<string> {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)));
}

/** Paths that a page names in backticks or links to, and that are not there; patterns and placeholders are left out. */
function missingPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const quoted = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)+\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => topLevel.has(path.split('/')[0] ?? '') && !isModelId(path));
  const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => join(dirname(page), path));
  return [...quoted, ...linked]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${page} names ${path}, which does not exist`);
}

/** A model of the own catalog can have the name of a folder. */
function isModelId(path: string): boolean {
  return existsSync(join(root, 'specs', 'models', `${path}.openapi.json`));
}

function readmeProblems(): string[] {
  const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n').length - 1;
  return lines < 100 ? [] : [`README.md has ${lines} lines; the limit is 100`];
}

const problems = [...pages.flatMap(missingPaths), ...readmeProblems()];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`docs: ${pages.length} pages, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
