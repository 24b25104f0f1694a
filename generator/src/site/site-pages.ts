import { countKinds, listLines, type ModelDiff } from '../diff/diff-report.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import { denseJson } from '../emit/source.ts';
import type { GenerateConfig } from '../generate.ts';
import type { ModelPage } from './model-page.ts';
import type { PageData, PageTemplates } from './page-templates.ts';
import { printSearchIndex } from './search-index.ts';

export type SiteConfig = {
  /** Source of catalog and documents. Its `outDir` is the earlier output that changes are compared with. */
  readonly source: GenerateConfig;
  readonly outDir: string;
  /** Script that renders the API pages in the browser. If it is undefined, the site has no API pages. */
  readonly renderer: string | undefined;
  readonly look: SiteLook;
};
export type SiteModels = {
  readonly pages: readonly ModelPage[];
  /** Models without a page, because their document could not be read. */
  readonly failed: readonly string[];
  /** Changes since the earlier output; undefined if there is none. */
  readonly changes: readonly ModelDiff[] | undefined;
};
/** Appearance of the site. */
export type SiteLook = {
  readonly name: string;
  /** A CSS colour in hexadecimal. */
  readonly colour: string | undefined;
  /** `data:` URL of the logo. */
  readonly logo?: string | undefined;
  /** Date or name of the earlier version that the changes page compares with. */
  readonly since: string;
};

// `file:` is for pages opened from disk, because some browsers don't treat files as `self`. On a server it has no effect.
const ownFiles = "script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'";
/** Content security policy that only allows the site's own style sheet and scripts. */
const contentSecurityPolicy = `default-src 'none'; style-src 'self' file:; ${ownFiles}`;
/** The API renderer creates inline styles and searches in a worker. */
const apiPolicy = `default-src 'none'; style-src 'self' file: 'unsafe-inline'; worker-src blob:; ${ownFiles}`;

/** Yields every file of the site. */
export function* generateSitePages(
  { source, look, renderer }: SiteConfig,
  { pages, failed, changes: changed }: SiteModels,
  { templates, generatorVersion }: { templates: PageTemplates; generatorVersion: string },
): Generator<EmittedFile> {
  const { modelRouter, workflowExecution } = source.specs;
  const apis = [
    { name: 'model-router', title: 'Model Router API', document: modelRouter },
    { name: 'workflow-execution', title: 'Workflow Execution API', document: workflowExecution },
  ];
  const apiLinks = apis.map(({ name, title }) => ({ href: `api/${name}.html`, text: title }));
  const changesLink = changed === undefined ? [] : [{ href: 'changes.html', text: 'Changes' }];
  const allLinks = [...(renderer === undefined ? [] : apiLinks), ...changesLink];
  const iconColour = (look.colour ?? '#4f46e5').slice(1);
  const frame = {
    policy: contentSecurityPolicy,
    bodyClass: '',
    iconColour,
    generatorVersion,
    siteName: look.name,
    since: look.since,
  };
  const page = (path: string, template: string, data: PageData): EmittedFile => {
    const root = '../'.repeat(path.split('/').length - 1);
    const links = allLinks.map((link) => ({ ...link, isCurrent: link.href === path }));
    return { path, contents: templates.render(template, { ...frame, ...data, links, root }) };
  };
  const changes = changed && new Map(changed.map((model) => [model.id, describeChanges(model)]));
  const accent = look.colour === undefined ? '' : templates.asset('accent.css').replaceAll('COLOUR', look.colour);
  const models = markPages(pages, changes);
  const logo = look.logo === undefined ? '' : templates.asset('logo.css').replaceAll('LOGO', look.logo);
  const style = [templates.asset('site.css'), templates.asset('model.css'), accent, logo].join('');
  yield { path: 'assets/site.css', contents: style };
  for (const name of ['site.js', 'model.js']) yield { path: `assets/${name}`, contents: templates.asset(name) };
  yield { path: 'assets/index.js', contents: printSearchIndex(models) };
  const start = describeStart(source, models, failed);
  const summary = changed === undefined ? '' : summarise(changed);
  yield page('index.html', 'index', { ...start, changes: summary, title: look.name, scripts: ['index.js', 'site.js'] });
  yield page('models/index.html', 'all-models', { title: 'All models', scripts: [], models });
  const paths = new Map<string, string>(models.map(({ id, path }) => [id, path]));
  for (const model of models) {
    const own = { title: model.id, heading: model.title, scripts: ['model.js'] };
    const alternates = model.alternates.map((one) => ({ ...one, path: paths.get(one.modelId) ?? '' }));
    const rest = { alternates, aliasPath: paths.get(model.aliasOf) ?? '', hasApis: renderer !== undefined };
    yield page(model.path, 'model', { ...model, ...own, ...rest, changes: changes?.get(model.id) ?? false });
  }
  if (changes !== undefined) {
    const models = [...changes.values()].map((one) => ({ ...one, path: paths.get(one.id) ?? '' }));
    const data = { title: `Changes since ${look.since}`, scripts: [], summary, models };
    yield page('changes.html', 'changes', data);
  }
  if (renderer === undefined) return;
  yield { path: 'assets/redoc.standalone.js', contents: removeLogos(renderer) };
  yield { path: 'assets/api.js', contents: templates.asset('api.js') };
  for (const { name, title, document } of apis) {
    const contents = `globalThis.switchyardDocument = ${denseJson(document).text};\n`;
    yield { path: `assets/${name}.js`, contents };
    const scripts = [`${name}.js`, 'redoc.standalone.js', 'api.js'];
    yield page(`api/${name}.html`, 'api', { title, scripts, policy: apiPolicy, bodyClass: 'for-api' });
  }
}

/**
 * Removes the renderer's logo, which is loaded from another host: the policy would block it and log an error in the console.
 */
function removeLogos(renderer: string): string {
  return renderer.replace(/https:\/\/cdn\.[\w./-]+\.svg/g, 'data:,');
}

function describeStart(
  { packageNames, outputLayout }: GenerateConfig,
  models: readonly MarkedPage[],
  failed: readonly string[],
): PageData {
  const providers = [...new Set(models.map(({ provider }) => provider))].sort();
  const callable = models.filter(({ samples, mark }) => samples !== undefined && mark !== 'deprecated');
  const maxNamed = 20;
  return {
    count: models.length,
    /** The model for the sample of a first call. */
    first: callable.find(({ inputAuthored }) => inputAuthored) ?? callable[0] ?? false,
    /** Packages that the calls import. Plain files have no package names. */
    packages: outputLayout.layout === 'folder' ? [] : [packageNames.modelRouter, packageNames.models],
    isPublished: outputLayout.publish !== undefined,
    providers: providers.length,
    failed: failed.slice(0, maxNamed),
    failedCount: failed.length,
    failedMore: Math.max(0, failed.length - maxNamed),
  };
}

function summarise(changes: readonly ModelDiff[]): string {
  const counts = Object.entries(countKinds(changes)).filter(([, count]) => count > 0);
  if (counts.length === 0) return 'no model has changed';
  const breaking = changes.filter(({ verdict }) => verdict === 'breaking').length;
  return `${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}${breaking === 0 ? '' : `, ${breaking} of them breaking`}`;
}

type MarkedPage = ModelPage & { readonly mark: string };

/** Adds marks to the pages, and removes boilerplate: a description that is the same for three models except for the id. */
function markPages(
  pages: readonly ModelPage[],
  changes: ReadonlyMap<string, Pick<ModelDiff, 'kind' | 'verdict'>> | undefined,
): MarkedPage[] {
  const generalise = ({ description }: ModelPage): string => description.replace(/[^\s"'`]*\/[^\s"'`]*/g, '…');
  const alike = Map.groupBy(pages, generalise);
  return pages.map((page) => {
    const general = generalise(page);
    const isGeneric = general !== page.description && (alike.get(general)?.length ?? 0) >= 3;
    const change = changes?.get(page.id);
    let mark = '';
    if (page.deprecated) mark = 'deprecated';
    else if (change?.kind === 'added') mark = 'new';
    else if (change !== undefined) mark = change.verdict === 'breaking' ? 'breaking' : 'changed';
    return { ...page, description: isGeneric ? '' : page.description, mark };
  });
}

const maxLines = 200;

/** Describes the changes of a model since the earlier output, most severe first. `formerId` is empty if it wasn't renamed. */
function describeChanges({ id, kind, formerId = '', verdict, changes }: ModelDiff) {
  const all = listLines(changes);
  const lines = all.slice(0, maxLines);
  return { id, kind, formerId, verdict, lines, omitted: all.length - lines.length };
}
