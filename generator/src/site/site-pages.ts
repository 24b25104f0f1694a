import type { DiffReport } from '../diff/diff-report.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import { json } from '../emit/source.ts';
import { changesByModel, type ModelChanges } from './change-list.ts';
import type { ModelPage } from './model-page.ts';
import type { PageData, PageTemplates } from './page-templates.ts';
import { printSearchIndex } from './search-index.ts';

/** One of the two APIs, rendered in the browser from its document. */
export type ApiPage = { readonly name: string; readonly title: string; readonly document: object };
export type SiteData = {
  readonly models: readonly ModelPage[];
  /** Models without a page, because their document could not be read. */
  readonly failed: readonly string[];
  /** Undefined where there is no earlier output. */
  readonly diff: DiffReport | undefined;
  readonly apis: readonly ApiPage[];
  /** Script of the renderer of APIs; undefined where it is not installed, and there are no pages of APIs. */
  readonly renderer: string | undefined;
  readonly generatorVersion: string;
};

// From the disk, not every browser counts files as `self`; for a page of a server `file:` allows nothing.
const ownFiles = "script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'";
/** A page may load the site's own style and scripts, and nothing else. */
const policy = `default-src 'none'; style-src 'self' file:; ${ownFiles}`;
/** The renderer makes its styles as it goes and searches in a worker. */
const apiPolicy = `default-src 'none'; style-src 'self' file: 'unsafe-inline'; worker-src blob:; ${ownFiles}`;

/** Every file of the site, page by page. */
export function* sitePages(site: SiteData, templates: PageTemplates): Generator<EmittedFile> {
  const frame = frameOf(site);
  const page = (path: string, template: string, data: PageData): EmittedFile => {
    const root = '../'.repeat(path.split('/').length - 1);
    return { path, contents: templates.render(template, { ...frame, ...data, root }) };
  };
  const changes = site.diff === undefined ? undefined : changesByModel(site.diff);
  yield { path: 'assets/site.css', contents: templates.asset('site.css') };
  yield { path: 'assets/site.js', contents: templates.asset('site.js') };
  yield { path: 'assets/index.js', contents: printSearchIndex(site.models) };
  yield page('index.html', 'index', { ...indexData(site), title: 'Models', scripts: ['index.js', 'site.js'] });
  yield page('models/index.html', 'all-models', { title: 'All models', scripts: [], models: site.models.map(entryOf) });
  for (const model of site.models) yield page(model.path, 'model', modelData(model, changes?.get(model.id)));
  if (changes !== undefined) yield page('changes.html', 'changes', changesData(site, [...changes.values()]));
  if (site.renderer === undefined) return;
  yield { path: 'assets/redoc.standalone.js', contents: site.renderer };
  yield { path: 'assets/api.js', contents: templates.asset('api.js') };
  for (const { name, title, document } of site.apis) {
    const contents = `globalThis.switchyardDocument = ${json(JSON.parse(JSON.stringify(document)), 0, 'dense').text};\n`;
    yield { path: `assets/${name}.js`, contents };
    const scripts = [`${name}.js`, 'redoc.standalone.js', 'api.js'];
    yield page(`api/${name}.html`, 'api', { title, scripts, policy: apiPolicy });
  }
}

function frameOf({ apis, renderer, diff, generatorVersion }: SiteData): PageData {
  const links =
    renderer === undefined ? [] : apis.map(({ name, title }) => ({ href: `api/${name}.html`, text: title }));
  const changes = diff === undefined ? [] : [{ href: 'changes.html', text: 'Changes' }];
  return { policy, links: [{ href: 'index.html', text: 'Models' }, ...links, ...changes], generatorVersion };
}

function indexData({ models, failed, diff }: SiteData): PageData {
  const providers = [...new Set(models.map(({ provider }) => provider))].sort();
  const mostNamed = 20;
  return {
    count: models.length,
    providers: providers.length,
    failed: failed.slice(0, mostNamed),
    failedCount: failed.length,
    failedMore: Math.max(0, failed.length - mostNamed),
    changes: diff === undefined ? '' : summaryOf(diff),
  };
}

function summaryOf({ counts: { models, changes } }: DiffReport): string {
  const kinds = (['added', 'removed', 'renamed', 'changed'] as const).filter((kind) => models[kind] > 0);
  if (kinds.length === 0) return 'No model has changed';
  const breaking = changes.breaking === 0 ? '' : `; ${changes.breaking} breaking changes`;
  return `Models: ${kinds.map((kind) => `${models[kind]} ${kind}`).join(', ')}${breaking}`;
}

function modelData(model: ModelPage, changes: ModelChanges | undefined): PageData {
  const known = new Set(model.types.map(({ name }) => name));
  const withLinks = <T extends { readonly rows: ModelPage['input']['rows'] }>(section: T) => ({
    ...section,
    rows: section.rows.map((row) => ({ ...row, names: row.names.filter((name) => known.has(name)) })),
  });
  return {
    ...model,
    title: model.id,
    heading: model.title,
    scripts: ['site.js'],
    input: withLinks(model.input),
    output: withLinks(model.output),
    types: model.types.map(withLinks),
    changes: changes ?? false,
  };
}

function changesData({ models, diff }: SiteData, changes: readonly ModelChanges[]): PageData {
  const paths = new Map<string, string>(models.map(({ id, path }) => [id, path]));
  return {
    title: 'Changes since the lockfile',
    scripts: [],
    summary: diff === undefined ? '' : summaryOf(diff),
    models: changes.map((one) => ({ ...one, path: paths.get(one.id) ?? '' })),
  };
}

function entryOf({ id, path, title, description }: ModelPage): PageData {
  return { id, path, heading: title, description };
}
