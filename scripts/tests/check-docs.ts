import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../specs/src/index.ts';

const root = packageRoot();
const foldersOfCommands = readIgnoredFolders();
const topLevel = new Set(readdirSync(root).filter((name) => !foldersOfCommands.has(name)));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...listPages('docs')];
const anchorsByPage = new Map(pages.map((page) => [page, collectAnchors(page)]));

function listPages(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site/'))
    .map((name) => join(folder, name));
}

/** Folders that commands create. Pages may mention them even if they don't exist. */
function readIgnoredFolders(): ReadonlySet<string> {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)));
}

/** Finds paths that a page mentions in backticks or links to, but that don't exist. Skips patterns and placeholders. */
function findMissingPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const quoted = [...text.matchAll(/`([\w.-]+(?:\/[\w.@-]+)+\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => topLevel.has(path.split('/')[0] ?? '') && !isModelId(path));
  const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => join(dirname(page), path));
  return [...quoted, ...linked]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${page} mentions ${path}, which does not exist`);
}

/** Finds links to a heading that the linked page does not have. */
function findMissingAnchors(page: string): string[] {
  return [...readProse(page).matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)]
    .map(([, path = '', anchor = '']) => ({ target: path === '' ? page : join(dirname(page), path), anchor }))
    .filter(({ target, anchor }) => anchorsByPage.get(target)?.has(anchor) === false)
    .map(({ target, anchor }) => `${page} links to #${anchor}, which ${target} does not have`);
}

/** Returns the anchorsByPage of the headings of a page, as GitHub and npm create them. */
function collectAnchors(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of readProse(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; found.has(unique); count += 1) unique = `${anchor}-${count}`;
    found.add(unique);
  }
  return found;
}

/** Returns the text of a page without its fenced code blocks. */
function readProse(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');
}

/** True for the id of a model in our own catalog, which can begin like a path. */
function isModelId(path: string): boolean {
  return existsSync(join(root, 'specs', 'models', `${path}.openapi.json`));
}

const problems = [...pages.flatMap((page) => [...findMissingPaths(page), ...findMissingAnchors(page)])];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`docs: ${pages.length} pages, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
