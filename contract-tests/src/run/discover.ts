import picomatch from 'picomatch';
import {
  BrandMismatch,
  extensionKey,
  extensionPlaces,
  findBrandWords,
  isJsonObject,
  recogniseBrand,
} from '../../../specs/src/index.ts';
import { type DiscoveredModel, type Discovery, emptyDiscovery, type ModelKind } from '../contract/discovery.ts';
import { SetupFailure } from '../contract/endings.ts';
import { HarnessError, UsageError } from '../contract/errors.ts';
import { type ParsedBody, readMediaType, readMember } from '../contract/evidence.ts';
import type { Exchange, NoResponse, WireResponse } from '../contract/exchange.ts';
import { encodeText, get, modelPath, onKeptConnection } from '../contract/requests.ts';
import { type ApiName, listCapabilities, type Target } from '../contract/target.ts';
import type { Hook } from '../requires.ts';
import { isDownPage } from '../wire/proxy-pages.ts';
import { sendOwnCall } from '../wire/send.ts';
import type { Check, ConformanceInput, DiscoveryResult, Reachability } from './check.ts';
import { drawInput, parseDocument, readDiscoveredModel } from './discovered-model.ts';

const maxPages = 40;
const maxPagesOfWholeCatalog = 1_000;
const maxDocuments = 60;
const maxIdsPerPage = 1_000; // Ten times the maximum of the contract.
const maxIdLength = 1_000; // Real ids are much shorter. Limited, because messages contain ids.
const kinds: readonly ModelKind[] = ['authored', 'unauthored', 'binary'];

/** Finds out whether a target responds, its models and its capabilities. Throws `BrandMismatch` if its brand is not the configured one. */
export async function discover(check: Check, isWholeCatalog: boolean): Promise<DiscoveryResult> {
  const { target, log, specs } = check;
  const { reachability, offer } = await checkReachability(check);
  const discovery = reachability.kind === 'reachable' ? await readCatalog(check, isWholeCatalog) : emptyDiscovery;
  // A mock returns the examples of the specification, which have a different brand.
  const headers = log.exchanges.flatMap(({ api, result }) =>
    target.kind !== 'mock' && api === 'router' && result.kind === 'response'
      ? result.headers.map(([name]) => name)
      : [],
  );
  const otherBrand = recogniseBrand({ documents: discovery.brandWords, headers }, specs.settings.brand);
  if (otherBrand !== undefined) throw new BrandMismatch(specs.settings.brand, otherBrand);
  return { reachability, discovery, capabilities: [...listCapabilities(target), ...offer] };
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

type CatalogModels = Omit<Discovery, 'listed'>;

/**
 * Reads the configured models of a live target first, with their configured inputs. Throws if one is neither listed nor
 * has a document: its id is probably misspelt.
 */
async function readModels(listed: readonly string[], check: Check): Promise<CatalogModels> {
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
    if (isJsonObject(document.value)) words.push(findBrandWords(document.value));
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

const stoppedClock =
  'the clock of the target is stopped, so anything that takes time would never end; use --clock real, which can be advanced as well';

/**
 * Calls both APIs, and lists the test hooks of the target. Configured hooks that don't work make the target
 * unreachable, because otherwise fewer rules would run unnoticed.
 */
export async function checkReachability(check: Check): Promise<{ reachability: Reachability; offer: readonly Hook[] }> {
  const { record, ports, target } = check;
  const reachable = { reachability: { kind: 'reachable' }, offer: [] } as const;
  const unreachable = (because: string) => ({ reachability: { kind: 'unreachable', because }, offer: [] }) as const;
  if (check.isRecorded) return reachable;
  const apis = (['router', 'workflow'] as const).filter((api) => target[api] !== undefined);
  if (apis.length === 0) throw new HarnessError('the target has a URL for neither API');
  for (const api of apis) {
    const exchange = await sendProbe(api, check);
    const because = explainNoAnswer(exchange) ?? explainWrongAnswer(exchange, target);
    if (because !== undefined) return unreachable(because);
  }
  if (ports.hooks === undefined) return reachable;
  const at = 'the test hooks';
  const skipped = record.findSkipReason(at);
  if (skipped !== undefined) return unreachable(`${at} ${skipped}`);
  record.addStart(at);
  try {
    const offer = await ports.hooks.offered();
    const isStopped = offer.includes('clock') && (await ports.hooks.isStopped?.());
    return isStopped ? unreachable(stoppedClock) : { ...reachable, offer };
  } catch (error) {
    if (error instanceof SetupFailure) return unreachable(`${at} cannot be used: ${error.message}`);
    throw error;
  }
}

export async function explainUnreachable(api: ApiName, check: Check): Promise<string | undefined> {
  return explainNoAnswer(await sendProbe(api, check));
}

function sendProbe(api: ApiName, check: Check): Promise<Exchange | undefined> {
  const to =
    api === 'router' ? '/v2/models?limit=1' : `/api/v2/jobs/${check.target.workflow?.jobs.save ?? 'unknown'}/workflow`;
  const anonymous = check.target[api]?.credentials.main === undefined ? { credentials: [] } : {};
  return sendOwnCall({ api, method: 'GET', to, ...anonymous }, check);
}

function explainNoAnswer(exchange: Exchange | undefined): string | undefined {
  if (exchange?.result.kind === 'response' && isDownPage(exchange))
    return `${exchange.request.method} ${exchange.request.url} returned ${exchange.result.status} with an error page from a proxy or gateway in front of the service (is the service behind it running?)`;
  if (exchange?.result.kind !== 'no-response') return undefined;
  const { because, detail } = exchange.result;
  const inOneLine = detail.replace(/\s+/g, ' ').trim();
  const isCoding = because === 'malformed' && inOneLine.startsWith('Content-Encoding');
  const hint = isCoding ? 'is the body compressed as this header specifies, and only once?' : advice[because];
  return `${exchange.request.method} ${exchange.request.url}: ${inOneLine} (${hint})`;
}

/** Explains that a different service responds, or that the credential is rejected, more clearly than rules would. */
function explainWrongAnswer(exchange: Exchange | undefined, target: Target): string | undefined {
  if (target.kind !== 'live' || exchange?.result.kind !== 'response') return undefined;
  const { api, request, result } = exchange;
  const asked = `${request.method} ${request.url} returned ${result.status}`;
  const { status } = result;
  const mediaType = readMediaType(result) ?? '';
  if (status >= 300 && status < 400)
    return `${asked}: a redirect, for example to a login page or to a different host (is the base URL the final one?)`;
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml')
    return `${asked} with a web page, such as the login page of a proxy or a page of a different server (is the base URL right, and does a gateway need http.headers or http.cert?)`;
  if (status === 407) return `${asked}: the proxy requires a credential (HTTPS_PROXY)`;
  if (status === 401 || status === 403) {
    const isRouter = api === 'router';
    const sources = isRouter
      ? 'SWITCHYARD_API_KEY, SWITCHYARD_TOKEN or conform.live.credentials.router.main'
      : 'SWITCHYARD_WORKFLOW_TOKEN or conform.live.credentials.workflow.main';
    const scheme = isRouter ? '; conform.live.scheme selects whether it is sent as a key or a token' : '';
    const rejection =
      target[api]?.credentials.main === undefined
        ? `no ${api} credential "main" is configured (set ${sources})`
        : `the ${api} credential "main" is rejected (set ${sources} to a credential of this deployment${scheme})`;
    // A rejection without the API's error envelope may come from a gateway.
    const isOwn = readMember(result, isRouter ? '/error_type' : '/error') !== undefined;
    return `${asked}: ${rejection}${isOwn ? '' : ', or a gateway requires something else (http.headers, http.cert)'}`;
  }
  if (isOwnAnswer(exchange, result)) return undefined;
  // The most common mistake: the base URL repeats the beginning of every path.
  const added = api === 'router' ? /^(.+?)(\/v2)\/*$/ : /^(.+?)(\/api\/v2|\/api)\/*$/;
  const [, right, surplus] = added.exec(target[api]?.url ?? '') ?? [];
  const tooMuch = `the base URL must not end with ${surplus}, which is appended automatically: use ${right}`;
  return `${asked}, but the response does not look like the API (${surplus === undefined ? baseAddressHint : tooMuch})`;
}

const baseAddressHint = 'is the base URL right? Paths are appended to it';

/**
 * True if the response comes from this API, even if it is wrong. A catalog whose list isn't in `data` counts as well: rules
 * report that defect.
 */
function isOwnAnswer({ api }: Exchange, result: WireResponse): boolean {
  const { status } = result;
  const has = (pointer: string): boolean => readMember(result, pointer) !== undefined;
  if (api === 'workflow') return status !== 404 || has('/error');
  if (status !== 200) return status !== 404;
  const body = readMember(result, '');
  const lists = [body, ...Object.values(Object(body))].filter((value) => Array.isArray(value));
  const listsModels = lists.some((list) => list.some((entry) => typeof Object(entry).id === 'string'));
  return has('/data') || has('/error_type') || listsModels;
}

const advice: Readonly<Record<NoResponse['because'], string>> = {
  refused: 'is the target running, and is the port right?',
  unresolved: 'is the host name right?',
  tls: 'does the target use https, and is its certificate right? To trust your own CA, set NODE_EXTRA_CA_CERTS or http.ca',
  malformed: 'does the target use HTTP/1.1, and not https?',
  reset: 'does the target use http at this port, keep running, and complete each response?',
  timeout: 'is the target overloaded, or does something else listen at this port?',
  'too-large': 'is this the base URL of the API?',
  proxy: 'is the proxy right, or should NO_PROXY contain the host?',
};
