import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../specs/src/index.ts';
import { commandsPage } from './reference/commands.ts';
import { diagnosticsPage } from './reference/diagnostics.ts';
import { faultsPage, requirementsPage, rulesPage } from './reference/rules.ts';
import { libraryPage } from './reference/sources.ts';

// Makes the documentation site in docs/site/dist: the pages of docs/, and a reference made from the code. A dead link fails.
const site = import.meta.dirname;
const docs = dirname(site);
const pages = join(site, 'pages');

const reference: Readonly<Record<string, () => string>> = {
  'reference/commands.md': commandsPage,
  'reference/library.md': libraryPage,
  'reference/rules.md': rulesPage,
  'reference/requirements.md': requirementsPage,
  'reference/faults.md': faultsPage,
  'reference/diagnostics.md': diagnosticsPage,
};

/** Pages beside docs/, and where they are in the site. */
const otherPages = {
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'CHANGELOG.md': 'changelog.md',
  'contract-tests/tests/attack/README.md': 'attack.md',
};

/** The order of the sidebar; a page that is not named here is a guide. */
const groups: readonly { readonly text: string; readonly pages: readonly string[] }[] = [
  { text: 'Start', pages: ['tutorial.md'] },
  {
    text: 'Guides',
    pages: [
      'generate.md',
      'client.md',
      'diff.md',
      'docs-site.md',
      'sandbox.md',
      'sandbox-outcomes.md',
      'conform.md',
      'ci.md',
      'reports.md',
    ],
  },
  {
    text: 'Reference',
    pages: [...Object.keys(reference), 'configuration.md', 'formats.md', 'naming.md', 'glossary.md', 'changelog.md'],
  },
  {
    text: 'Explanation',
    pages: [
      'architecture.md',
      'adr/index.md',
      'security.md',
      'reporting.md',
      'readings.md',
      'benchmarks.md',
      'contributing.md',
      'attack.md',
    ],
  },
];

function install(): void {
  if (existsSync(join(site, 'node_modules/vitepress'))) return;
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

function run(program: string, words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: site, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with exit code ${status}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}

/** Copies the pages; links to other places of the repository lead to what the site has in place of them. */
function collectPages(): void {
  rmSync(pages, { recursive: true, force: true });
  for (const name of readdirSync(docs, { recursive: true, encoding: 'utf8' }))
    if (/^(?:adr\/)?[\w-]+\.md$/.test(name)) write(name, withLinks(readFileSync(join(docs, name), 'utf8')));
  cpSync(join(docs, 'images'), join(pages, 'images'), { recursive: true });
  for (const [from, to] of Object.entries(otherPages))
    write(to, withLinks(readFileSync(join(packageRoot(), from), 'utf8')));
  write('index.md', readFileSync(join(site, 'home.md'), 'utf8'));
  for (const [path, make] of Object.entries(reference)) write(path, make());
}

function withLinks(text: string): string {
  const places = { ...otherPages, 'README.md#commands': 'reference/commands.md', 'docs/': '' };
  return Object.entries(places).reduce(
    (linked, [from, to]) => linked.replaceAll(`](../${from}`, `](./${to}`).replaceAll(`](${from}`, `](./${to}`),
    text,
  );
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(pages, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path;
}

function writeSidebar(): void {
  const item = (path: string): { text: string; link: string } => ({
    text: titleOf(path),
    link: `/${path.slice(0, -3)}`,
  });
  const named = new Set([...groups.flatMap((group) => group.pages), 'index.md']);
  const others = readdirSync(pages).filter((name) => name.endsWith('.md') && !named.has(name));
  const sidebar = groups.map(({ text, pages: own }) => ({
    text,
    items: [...own, ...(text === 'Guides' ? others : [])].map(item),
  }));
  write('sidebar.json', JSON.stringify(sidebar));
}

/** The list of decisions; a sidebar of all of them would be too long. */
function writeDecisions(): void {
  const items = readdirSync(join(pages, 'adr')).map((name) => `- [${titleOf(`adr/${name}`)}](./${name})\n`);
  write(
    'adr/index.md',
    `# Decisions\n\nWhy things are as they are, in the order of their records.\n\n${items.join('')}`,
  );
}

install();
collectPages();
writeDecisions();
writeSidebar();
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', '.']);
const written = readdirSync(join(site, 'dist'), { recursive: true, encoding: 'utf8' });
process.stdout.write(`site: ${written.filter((name) => name.endsWith('.html')).length} pages in docs/site/dist\n`);
