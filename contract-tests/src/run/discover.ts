import picomatch from 'picomatch';
import { brandWords, extensionKey, extensionPlaces, isJsonObject, recogniseBrand } from '../../../specs/src/index.ts';
import { type DiscoveredModel, type Discovery, emptyDiscovery, type ModelKind } from '../contract/discovery.ts';
import { UsageError } from '../contract/errors.ts';
import type { ParsedBody } from '../contract/evidence.ts';
import { encodeText, get, modelPath, onKeptConnection } from '../contract/requests.ts';
import { listCapabilities } from '../contract/target.ts';
import { sendOwnCall } from '../wire/send.ts';
import type { Check, ConformanceInput, Found } from './check.ts';
import { drawInput, parseDocument, readDiscoveredModel } from './discovered-model.ts';
import { baseAddressHint, reach } from './reachability.ts';

const maxPages = 40;
const maxPagesOfWholeCatalog = 1_000;
const maxDocuments = 60;
const maxIdsPerPage = 1_000; // Ten times the maximum of the contract.
const maxIdLength = 1_000; // Real ids are much shorter. Limited, because messages contain ids.
const kinds: readonly ModelKind[] = ['authored', 'unauthored', 'binary'];

/** Finds out what a target offers: whether it responds, its models, its capabilities, and a brand that differs from the configured one. */
export async function discover(check: Check, isWholeCatalog: boolean): Promise<Found> {
  const { target, log, specs } = check;
  const { reachability, offer } = await reach(check);
  const discovery = reachability.kind === 'reachable' ? await readCatalog(check, isWholeCatalog) : emptyDiscovery;
  // A mock returns the examples of the specification, which have a different brand.
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
async function readCatalog(check: Check, isWholeCatalog: boolean): Promise<Discovery> {
  if (check.isRecorded) return { ...emptyDiscovery, problems: [] };
  if (check.target.router === undefined) return { ...emptyDiscovery, problems: [], isComplete: true };
  const { listed, problem } = await listCatalog(check, isWholeCatalog ? maxPagesOfWholeCatalog : maxPages);
  const read = await readModels(listed, check);
  if (check.target.kind !== 'mock') {
    const problems = [problem ?? [], listed.length === 0 ? 'the catalog lists no models' : []].flat();
    const isComplete = problem === undefined && read.isComplete;
    return { ...read, listed, problems: [...problems, ...read.problems], isComplete };
  }
  // A mock returns the examples of the specification, so their model serves as every kind of model.
  const [model] = Object.values(read.models);
  if (model === undefined) return { ...read, listed };
  // The mock's response is an example of the specification, not an output of that model.
  const example = { ...model, invalidInput: undefined, inputSchema: true, outputs: { 'application/json': true } };
  const models = { authored: example, unauthored: example, binary: example };
  return { listed, models, problems: [], lost: [], brandWords: [], isComplete: true };
}

type Read = Omit<Discovery, 'listed'>;

/**
 * Reads the configured models of a live target first, with their configured inputs. Throws if one is neither listed nor
 * has a document: its id is probably misspelt.
 */
async function readModels(listed: readonly string[], check: Check): Promise<Read> {
  const { brand } = check.specs.settings;
  const owned = check.target.budget?.models ?? [];
  const models: Partial<Record<ModelKind, DiscoveredModel>> = {};
  const unusable: { readonly id: string; readonly because: string; readonly serves: ModelKind | undefined }[] = [];
  const problems: string[] = [];
  const words: (readonly string[])[] = [];
  let isComplete = true;
  // An unauthored model with JSON output. It can replace a missing authored one for rules without invalid inputs.
  let substitute: DiscoveredModel | undefined;
  const ids = new Set([...owned.map(({ id }) => id), ...listed.slice(0, maxDocuments)]);
  const unknown: string[] = [];
  for (const id of ids) {
    if (kinds.every((kind) => models[kind] !== undefined) && listed.includes(id)) continue;
    const document = await readJson(check, `${modelPath(id)}/openapi.json`);
    if (document.kind === 'malformed') {
      if (document.status === 404 && !listed.includes(id)) unknown.push(id);
      isComplete = false;
      problems.push(document.because);
      continue;
    }
    if (isJsonObject(document.value)) words.push(brandWords(document.value));
    const owner = owned.find((one) => one.id === id);
    const result = readDiscoveredModel(id, document.value, brand, owner?.input);
    const { serves } = result;
    if (result.kind === 'unusable') {
      problems.push(result.because);
      unusable.push({ id, because: result.because, serves });
      continue;
    }
    // Configured inputs are sent unchanged.
    const model = owner === undefined ? drawInput(result.model, check.values) : result.model;
    if (serves !== undefined) models[serves] ??= model;
    if (serves === 'unauthored' && model.outputs['application/json'] !== undefined) substitute ??= model;
  }
  if (listed.length > 0 && unknown.length > 0) {
    const names = unknown.map((id) => JSON.stringify(id)).join(', ');
    throw new UsageError(
      `conform.live.models lists ${names}, but the target has no such model. GET ${check.target.router?.url ?? ''}/v2/models lists its models`,
    );
  }
  const isOwned = (id: string): boolean => owned.some((one) => one.id === id);
  const lost = unusable.flatMap(({ id, because, serves }) =>
    isOwned(id) || (serves !== undefined && models[serves] === undefined) ? because : [],
  );
  const missing = kinds.filter((kind) => models[kind] === undefined);
  if (missing.length > 0) {
    const none = `no ${missing.join(', no ')} model among the first ${maxDocuments} listed`;
    const key = extensionKey(brand, 'input-schema-authored');
    problems.push(missing.includes('authored') ? `${none}; searched for ${key}: true in ${extensionPlaces}` : none);
  }
  if (substitute !== undefined && models.authored === undefined && isComplete) {
    models.authored = substitute;
    problems.push(`no model has an authored schema: ${substitute.id} is used instead, and invalid inputs are not sent`);
  }
  return { models, problems, lost, brandWords: words, isComplete };
}

async function listCatalog(
  check: Check,
  pages: number,
): Promise<{ readonly listed: readonly string[]; readonly problem?: string }> {
  const listed: string[] = [];
  let cursor = '';
  for (let read = 0; read < pages; read += 1) {
    const page = await readJson(check, `/v2/models?limit=100${cursor === '' ? '' : `&cursor=${encodeText(cursor)}`}`);
    if (page.kind === 'malformed') {
      const { because, status = 0 } = page;
      const isMoved = status === 404 || (status >= 300 && status < 400);
      return { listed, problem: because + (isMoved ? `: ${baseAddressHint}` : '') };
    }
    const { data, has_more: hasMore, next_cursor: next } = isJsonObject(page.value) ? page.value : {};
    for (const entry of Array.isArray(data) ? data.slice(0, maxIdsPerPage) : []) {
      const id = isJsonObject(entry) ? entry['id'] : undefined;
      if (typeof id === 'string' && id.length <= maxIdLength) listed.push(id);
    }
    if (hasMore !== true || typeof next !== 'string' || next === '') break;
    cursor = next;
  }
  return { listed };
}

async function readJson(check: Check, to: string): Promise<ParsedBody & { readonly status?: number }> {
  const none = (because: string, status = 0) =>
    ({ kind: 'malformed', because: `GET ${to} ${because}`, status }) as const;
  const skipped = check.record.findSkipReason(to);
  if (skipped !== undefined) return none(skipped);
  const exchange = await sendOwnCall(get('router', to, onKeptConnection), check, { at: to });
  if (exchange === undefined) return none('was not sent, because no router credential "main" is configured');
  const response = exchange.result;
  if (response.kind === 'no-response') return none(`got no response: ${response.detail}`);
  const { status } = response;
  if (status === 401 || status === 403) return none(`returned ${status}: the credential "main" was rejected`);
  if (status !== 200) return none(`returned ${status}`, status);
  const parsed = parseDocument(response);
  return parsed.kind === 'json' ? parsed : none(`did not return JSON: ${parsed.because}`);
}

/** Throws if a glob matches no model, because the per-model rules would then pass without checking anything. */
export function chooseModels({ models: choice }: ConformanceInput, { listed }: Discovery): readonly string[] {
  if (choice === undefined) return [];
  const ids = [...new Set(listed)].filter((id) => id.includes('/'));
  let chosen = ids;
  if (typeof choice === 'number') {
    const every = Math.max(1, ids.length / choice);
    chosen = Array.from({ length: Math.min(ids.length, choice) }, (_, index) => ids[Math.floor(index * every)] ?? '');
  } else if (choice !== 'all') {
    const isChosen = picomatch(choice);
    chosen = ids.filter((id) => isChosen(id));
  }
  if (listed.length > 0 && chosen.length === 0)
    throw new UsageError(
      `none of the ${listed.length} models in the catalog matches --models ${JSON.stringify(choice)}`,
    );
  return chosen;
}
