import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../../specs/src/index.ts';
import { commandsPage, diagnosticsPage, faultsPage, requirementsPage, rulesPage } from './reference.ts';
import { libraryPage } from './types.ts';

// Makes the documentation site in docs/site/dist: the pages of docs/, and a reference made from the code. A dead link fails.
// `--serve` serves it afterwards.
const site = import.meta.dirname;
const pages = join(site, 'pages');

const reference: Readonly<Record<string, () => string>> = {
  'reference/commands.md': commandsPage,
  'reference/library.md': libraryPage,
  'reference/rules.md': rulesPage,
  'reference/requirements.md': requirementsPage,
  'reference/faults.md': faultsPage,
  'reference/diagnostics.md': diagnosticsPage,
};

/** Pages for developers of switchyard, which are not in the package, so no packed page links to them. */
const developerPages = ['architecture.md', 'adr/README.md', 'how-to/release-switchyard.md'];

/** Pages outside docs/, and where they are in the site. */
const otherPages = {
  'docs/site/home.md': 'index.md',
  'CONTRIBUTING.md': 'explanation/contributing.md',
  'SECURITY.md': 'explanation/reporting.md',
  'contract-tests/tests/attack/README.md': 'explanation/attack.md',
};

function run(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: site, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with exit code ${status}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}

/** Copies a page; its links to places that the site has elsewhere follow them, those to sources become text. */
function copyPage(from: string, to: string): void {
  const places: Readonly<Record<string, string>> = { ...otherPages, 'README.md': 'reference/commands.md' };
  const text = readFileSync(join(packageRoot(), from), 'utf8');
  const moved = text.replaceAll(/\[([^\]]*)\]\(([^):#]+)(#[^)]*)?\)/g, (_link, words, path, anchor = '') => {
    const target = join('/', dirname(from), path).slice(1);
    if (Object.hasOwn(places, target)) return `[${words}](/${places[target]}${target === 'README.md' ? '' : anchor})`;
    return target.startsWith('docs/') ? `[${words}](/${target.slice('docs/'.length)}${anchor})` : words;
  });
  write(to, moved);
}

function collectPages(): void {
  const docs = globSync(['*.md', '{adr,how-to,reference,explanation}/**/*.md'], { cwd: dirname(site) });
  for (const path of docs) copyPage(`docs/${path}`, path);
  for (const [from, to] of Object.entries(otherPages)) copyPage(from, to);
  cpSync(join(dirname(site), 'images'), join(pages, 'images'), { recursive: true });
  for (const [path, make] of Object.entries(reference)) write(path, make());
}

function readTitle(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(pages, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? basename(path);
}

/** The sections of docs/README.md in its order; the last two get the pages that no section names. */
function writeSidebar(): void {
  const [start, ...sections] = readFileSync(join(pages, 'README.md'), 'utf8').split(/^## /m).map(readSection);
  const named = new Set([...sections.flatMap(({ paths }) => paths), 'tutorial.md']);
  const rest = globSync(['reference/*.md', 'explanation/*.md', ...developerPages], { cwd: pages })
    .filter((path) => !named.has(path))
    .sort((a, b) => readTitle(a).localeCompare(readTitle(b), 'en'));
  const [lookUp, understand] = sections.slice(-2);
  for (const path of rest) (path.startsWith('reference/') ? lookUp : understand)?.paths.push(path);
  const groups = [{ text: 'Start', paths: ['README.md', ...(start?.paths ?? [])] }, ...sections];
  const sidebar = groups.map(({ text, paths }) => ({
    text,
    items: paths.map((path) => ({ text: readTitle(path), link: `/${path}` })),
  }));
  write('sidebar.json', JSON.stringify(sidebar));
}

function readSection(section: string): { text: string; paths: string[] } {
  const paths = [...section.matchAll(/\]\(\/([\w./-]+\.md)/g)].map(([, path = '']) => path);
  return { text: section.split('\n')[0] ?? '', paths };
}

if (!existsSync(join(site, 'node_modules/vitepress'))) run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
rmSync(pages, { recursive: true, force: true });
collectPages();
writeSidebar();
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build', '.');
process.stdout.write(`site: ${globSync('dist/**/*.html', { cwd: site }).length} pages in docs/site/dist\n`);
if (process.argv.includes('--serve')) run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'preview', '.');
