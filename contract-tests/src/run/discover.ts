import picomatch from 'picomatch';
import {
  brandWords,
  extensionKey,
  extensionPlaces,
  isJsonObject,
  type JsonValue,
  recogniseBrand,
} from '../../../specs/src/index.ts';
import { type DiscoveredModel, type Discovery, emptyDiscovery, type ModelKind } from '../contract/discovery.ts';
import { UsageError } from '../contract/errors.ts';
import type { ParsedBody } from '../contract/evidence.ts';
import { encodeText, get, modelPath, onKeptConnection } from '../contract/requests.ts';
import { listCapabilities } from '../contract/target.ts';
import type { Check, ConformanceInput, Found, ModelChoice } from './check.ts';
import { drawInput, parseDocument, type Reading, readDiscoveredModel } from './discovered-model.ts';
import { baseAddressHint, reach, sendOnce } from './reachability.ts';

const maxPages = 40;
/** Maximum number of pages if all models of a catalog should be checked. */
const mostPages = 1_000;
const maxDocuments = 60;
const maxIdsPerPage = 1000; // Ten times the maximum of the contract.
const modelsShown = 3;
const longestId = 1_000; // Real ids are much shorter, and every message repeats one.
const kinds: readonly ModelKind[] = ['authored', 'unauthored', 'binary'];

/** Discovers whether the target responds, and its test hooks, models and brand. */
export async function explore(check: Check, isWholeCatalog: boolean): Promise<Found> {
  const { target, log, specs } = check;
  const { reachability, offer } = await reach(check);
  const discovery = reachability.kind === 'reachable' ? await discover(check, isWholeCatalog) : emptyDiscovery;
  // A mock returns the examples of the specification, which have another brand.
  const headers = log.exchanges.flatMap(({ api, result }) =>
    target.kind !== 'mock' && api === 'router' && result.kind === 'response'
      ? result.headers.map(([name]) => name)
      : [],
  );
  const otherBrand = recogniseBrand({ documents: discovery.brandWords, headers }, specs.settings.brand);
  return { reachability, discovery, capabilities: [...listCapabilities(target), ...offer], otherBrand };
}

/**
 * Lists the catalog and reads schema documents, starting with configured models, until each kind of model is found.
 * Only sends free requests. Throws `UsageError` if a configured model doesn't exist.
 */
async function discover(check: Check, isWholeCatalog: boolean): Promise<Discovery> {
  if (check.isRecorded) return { ...emptyDiscovery, problems: [] };
  if (check.target.router === undefined) return { ...emptyDiscovery, problems: [], isComplete: true };
  const { listed, problem } = await listCatalog(check, isWholeCatalog ? mostPages : maxPages);
  await requireModels(listed, check);
  const read = await readModels(listed, check);
  if (check.target.kind === 'mock') return { ...read, listed, ...useExamples(read) };
  const problems = [problem ?? [], listed.length === 0 ? 'the catalog lists no model' : []].flat();
  const isComplete = problem === undefined && read.isComplete;
  return { ...read, listed, problems: [...problems, ...read.problems], isComplete };
}

/** A mock returns the examples of the specification, so their model serves as every kind of model. */
function useExamples({ models, problems }: Read): Partial<Discovery> {
  const [read] = Object.values(models);
  if (read === undefined) return { problems };
  // Its response is an example, not an output of that model.
  const example = { ...read, invalidInput: undefined, inputSchema: true, outputs: { 'application/json': true } };
  const every = { authored: example, unauthored: example, binary: example };
  return { models: every, problems: [], lost: [], brandWords: [], isComplete: true };
}

type Read = Omit<Discovery, 'listed'>;

/** Reads the configured models of a live target first, with their configured inputs. */
async function readModels(listed: readonly string[], check: Check): Promise<Read> {
  const { brand } = check.specs.settings;
  const owned = check.target.budget?.models ?? [];
  const usable: Usable[] = [];
  const problems: string[] = [];
  const unusable: Unusable[] = [];
  const words: (readonly string[])[] = [];
  let isComplete = true;
  const ids = new Set([...owned.map(({ id }) => id), ...listed.slice(0, maxDocuments)]);
  for (const id of ids) {
    if (kinds.every((kind) => usable.some(({ serves }) => serves === kind))) break;
    const document = await readJson(check, `${modelPath(id)}/openapi.json`);
    if (document.kind === 'malformed') isComplete = false;
    else if (isJsonObject(document.value)) words.push(brandWords(document.value));
    if (document.kind === 'malformed') {
      problems.push(document.because);
      continue;
    }
    const owner = owned.find((one) => one.id === id);
    const reading = readDiscoveredModel(id, document.value, brand, owner?.input);
    if (reading.kind === 'usable') {
      // Configured inputs are sent unchanged.
      const model = owner === undefined ? drawInput(reading.model, check.context.values) : reading.model;
      usable.push({ ...reading, model });
      continue;
    }
    problems.push(reading.because);
    unusable.push({ ...reading, isOwned: owner !== undefined });
  }
  const models = sortByKind(usable);
  const isLost = ({ isOwned, serves }: Unusable): boolean =>
    isOwned || (serves !== undefined && models[serves] === undefined);
  const lost = unusable.filter(isLost).map(({ because }) => because);
  const missing = kinds.filter((kind) => models[kind] === undefined);
  if (missing.length > 0) problems.push(describeMissing(missing, extensionKey(brand, 'input-schema-authored')));
  return withSubstitute({ models, problems, lost, brandWords: words, isComplete }, usable);
}

type Usable = Extract<Reading, { kind: 'usable' }>;
type Unusable = Extract<Reading, { kind: 'unusable' }> & { readonly isOwned: boolean };

function sortByKind(usable: readonly Usable[]): Discovery['models'] {
  const models: Partial<Record<ModelKind, DiscoveredModel>> = {};
  for (const { serves, model } of usable) if (serves !== undefined) models[serves] ??= model;
  return models;
}

/** Rules without invalid inputs only need a model with JSON output, so it can replace an authored model. */
function withSubstitute(read: Read, usable: readonly Usable[]): Read {
  const isFit = ({ serves, model }: Usable): boolean =>
    serves === 'unauthored' && model.outputs['application/json'] !== undefined;
  const { model } = usable.find(isFit) ?? {};
  if (model === undefined || read.models.authored !== undefined || !read.isComplete) return read;
  const note = `no model has an authored schema: ${model.id} is used instead, and invalid inputs are not sent`;
  return { ...read, models: { ...read.models, authored: model }, problems: [...read.problems, note] };
}

function describeMissing(missing: readonly ModelKind[], key: string): string {
  const none = `no ${missing.join(', no ')} model among the first ${maxDocuments} listed`;
  return missing.includes('authored') ? `${none}; ${key}: true was looked for in ${extensionPlaces}` : none;
}

/** Throws for a model that is neither listed nor has a document: it is probably misspelt. */
async function requireModels(listed: readonly string[], check: Check): Promise<void> {
  const { router, budget } = check.target;
  const unknown: string[] = [];
  for (const { id } of listed.length === 0 ? [] : (budget?.models ?? [])) {
    if (listed.includes(id)) continue;
    const { status } = await readJson(check, `${modelPath(id)}/openapi.json`);
    if (status === 404) unknown.push(id);
  }
  if (unknown.length > 0) throw new UsageError(unknownModels(unknown, listed, router?.url ?? ''));
}

function unknownModels(unknown: readonly string[], listed: readonly string[], base: string): string {
  // Only plain ids are shown, because a catalog may contain any text.
  const plain = listed.filter((id) => /^[\w.-]{1,60}\/[\w.-]{1,60}$/.test(id));
  const providers = unknown.map((id) => id.split('/', 1)[0]);
  const near = [...plain.filter((id) => providers.includes(id.split('/', 1)[0])), ...plain];
  const shown = [...new Set(near)].slice(0, modelsShown).join(', ');
  const names = unknown.map((id) => JSON.stringify(id)).join(', ');
  return `conform.live.models names ${names}, and the target has no such model. GET ${base}/v2/models lists its models${shown === '' ? '' : `, such as ${shown}`}`;
}

async function listCatalog(
  check: Check,
  pages: number,
): Promise<{ listed: readonly string[]; problem: string | undefined }> {
  const listed: string[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < pages; read += 1) {
    const query = cursor === undefined ? '' : `&cursor=${encodeText(cursor)}`;
    const page = await readJson(check, `/v2/models?limit=100${query}`);
    if (page.kind === 'malformed') {
      const { because, status = 0 } = page;
      const isMoved = status === 404 || (status >= 300 && status < 400);
      return { listed, problem: because + (isMoved ? `: ${baseAddressHint}` : '') };
    }
    for (const id of readIds(page.value)) listed.push(id);
    cursor = readCursor(page.value);
    if (cursor === undefined) break;
  }
  return { listed, problem: undefined };
}

async function readJson(check: Check, to: string): Promise<ParsedBody & { readonly status?: number }> {
  const none = (because: string, of: { readonly status?: number } = {}) => ({
    ...of,
    kind: 'malformed' as const,
    because: `GET ${to} ${because}`,
  });
  const skipped = check.record.findSkipReason(to);
  if (skipped !== undefined) return none(skipped);
  const onReading = (): void => check.record.addStart(to);
  const exchange = await sendOnce(get('router', to, onKeptConnection), check, onReading);
  if (exchange === undefined) return none('was not sent: no router credential "main" is configured');
  const response = exchange.result;
  if (response.kind === 'no-response') return none(`was not answered: ${response.detail}`);
  const { status } = response;
  if (status === 401 || status === 403) return none(`answered ${status}: the credential "main" is refused`);
  if (status !== 200) return none(`answered ${status}`, { status });
  const parsed = parseDocument(response);
  return parsed.kind === 'json' ? parsed : none(`answered no JSON: ${parsed.because}`);
}

function readIds(page: JsonValue): readonly string[] {
  const data = isJsonObject(page) ? page['data'] : undefined;
  if (!Array.isArray(data)) return [];
  const entries = data.slice(0, maxIdsPerPage);
  const ids = entries.map((entry) => (isJsonObject(entry) ? entry['id'] : undefined));
  return ids.filter((id) => typeof id === 'string').filter((id) => id.length <= longestId);
}

function readCursor(page: JsonValue): string | undefined {
  if (!isJsonObject(page) || page['has_more'] !== true) return undefined;
  return typeof page['next_cursor'] === 'string' && page['next_cursor'] !== '' ? page['next_cursor'] : undefined;
}

/** Throws if a glob matches no model, because the per-model rules would then pass without checking anything. */
export function chooseModels({ models }: ConformanceInput, { listed }: Discovery): readonly string[] {
  if (models === undefined) return [];
  const chosen = filterModels(listed, models);
  if (listed.length > 0 && chosen.length === 0)
    throw new UsageError(`no model of the ${listed.length} listed matches --models ${JSON.stringify(models)}`);
  return chosen;
}

function filterModels(listed: readonly string[], choice: ModelChoice): readonly string[] {
  const ids = [...new Set(listed)].filter((id) => id.includes('/'));
  if (choice === 'all') return ids;
  if (typeof choice === 'string') {
    const isChosen = picomatch(choice);
    return ids.filter((id) => isChosen(id));
  }
  const every = Math.max(1, ids.length / choice);
  return Array.from({ length: Math.min(ids.length, choice) }, (_, index) => ids[Math.floor(index * every)] ?? '');
}
