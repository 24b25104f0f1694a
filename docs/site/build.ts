import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../../specs/src/index.ts';
import { commandsPage, diagnosticsPage, faultsPage, requirementsPage, rulesPage } from './reference.ts';
import { libraryPage } from './types.ts';

// Makes the documentation site in docs/site/dist: the pages of docs/, and a reference made from the code. A dead link fails.
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

/** Pages beside docs/, and where they are in the site. */
const otherPages = {
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'CHANGELOG.md': 'changelog.md',
  'contract-tests/tests/attack/README.md': 'attack.md',
};

/** The order of the sidebar; a page that is not named here is a guide. */
const groups: Readonly<Record<string, string>> = {
  Start: 'tutorial',
  Guides: 'generate client diff docs-site sandbox sandbox-outcomes conform ci reports',
  Reference: `${Object.keys(reference).join(' ').replaceAll('.md', '')} configuration formats naming glossary changelog`,
  Explanation: 'architecture adr/index security reporting readings benchmarks contributing attack',
};

function run(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: site, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with exit code ${status}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}

/** Copies the pages; links to other places of the repository lead to what the site has in place of them. */
function collectPages(): void {
  const places = Object.entries({ ...otherPages, 'README.md#commands': 'reference/commands.md', 'docs/': '' });
  const copy = (from: string, to: string): void => {
    let text = readFileSync(join(packageRoot(), from), 'utf8');
    for (const [here, there] of places)
      text = text.replaceAll(`](../${here}`, `](./${there}`).replaceAll(`](${here}`, `](./${there}`);
    write(to, text);
  };
  for (const path of globSync(['*.md', 'adr/*.md'], { cwd: dirname(site) })) copy(`docs/${path}`, path);
  for (const [from, to] of Object.entries(otherPages)) copy(from, to);
  copy('docs/site/home.md', 'index.md');
  cpSync(join(dirname(site), 'images'), join(pages, 'images'), { recursive: true });
  for (const [path, make] of Object.entries(reference)) write(path, make());
}

function readTitle(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(pages, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path;
}

/** The decisions have a list of their own: a sidebar of all of them would be too long. */
function writeLists(): void {
  const decisions = readdirSync(join(pages, 'adr')).map((name) => `- [${readTitle(`adr/${name}`)}](./${name})\n`);
  const intro = 'Why things are as they are, in the order of their records.';
  write('adr/index.md', `# Decisions\n\n${intro}\n\n${decisions.join('')}`);
  const named = Object.values(groups).flatMap((names) => names.split(' '));
  const others = globSync('*.md', { cwd: pages })
    .map((name) => basename(name, '.md'))
    .filter((name) => name !== 'index' && !named.includes(name))
    .sort();
  const sidebar = Object.entries(groups).map(([text, names]) => ({
    text,
    items: [...names.split(' '), ...(text === 'Guides' ? others : [])].map((name) => ({
      text: readTitle(`${name}.md`),
      link: `/${name}`,
    })),
  }));
  write('sidebar.json', JSON.stringify(sidebar));
}

if (!existsSync(join(site, 'node_modules/vitepress'))) run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
rmSync(pages, { recursive: true, force: true });
collectPages();
writeLists();
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build', '.');
process.stdout.write(`site: ${globSync('dist/**/*.html', { cwd: site }).length} pages in docs/site/dist\n`);
