import { resolve } from 'node:path';
import { findRefusal, ownerSettings } from '../../../contract-tests/src/requires.ts';
import { nodePorts } from '../../../generator/src/index.ts';
import {
  asObject,
  compileSchema,
  isJsonObject,
  type JsonObject,
  readModelOperation,
} from '../../../specs/src/index.ts';
import { gatewayHeaders, readSecret, readTls, refusePlainHttp, routerCredential, workflowToken } from '../access.ts';
import { readGraph, readInputs } from '../live-target.ts';
import { bad, type Check, ok, type Result, type Surroundings, skipped, warn } from './checks.ts';

// What conform needs of a live target, one line each. Only GET requests are sent, so no line can start a run.

type Reply = { readonly status: number; readonly json: JsonObject };
type Api = 'router' | 'workflow';

/** Checks of credentials, jobs, graphs, models, budget and hooks; a single line where nothing is configured for conform. */
export function listConformChecks(found: Surroundings): readonly Check[] {
  const { config, get, io, folder } = found;
  const { jobs = {}, live = {}, hooks } = config.conform ?? {};
  if (config.conform === undefined && get('workflowUrl') === undefined) {
    const help = 'docs/how-to/check-a-service.md lists what more rules need.';
    return [{ name: 'conform', run: () => skipped('nothing is configured for it', help) }];
  }
  const given = { router: routerCredential(io.env)?.value, workflow: workflowToken(io.env) };
  const secrets: Record<string, string> = {};
  const headerOf = (api: Api, name: string): Readonly<Record<string, string>> => {
    const secret = secrets[`${api}.${name}`] ?? given[api];
    if (secret === undefined) return {};
    const isStated = live.credentials?.router?.main !== undefined;
    const scheme = live.scheme ?? (isStated ? undefined : routerCredential(io.env)?.kind) ?? 'api-key';
    const isKey = api === 'router' && scheme === 'api-key' && name !== 'expiredToken';
    return isKey ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
  };
  const readRouter = (path: string, name = 'main'): Promise<Reply> =>
    ask(found, `${get('routerUrl')}${path}`, headerOf('router', name));
  const readJob = (job: string, name = 'main'): Promise<Reply> =>
    ask(found, `${get('workflowUrl')}/api/v2/jobs/${job}/workflow`, headerOf('workflow', name));

  const tryCredential = async (api: Api, name: string, source: string | undefined): Promise<Result> => {
    const setting = `conform.live.credentials.${api}.${name}`;
    const stated = source === undefined ? undefined : await readSecret(source, setting, io);
    const secret = stated ?? (name === 'main' ? given[api] : undefined);
    if (secret === undefined && name === 'main')
      return bad(`no credential; conform needs one`, `Set the environment variable or ${setting}.`, 2);
    if (secret === undefined)
      return warn(`${source} is not set: rules that need it are left out`, 'Set the variable where conform runs.');
    if (name !== 'main' && secret === secrets[`${api}.main`])
      return bad('is the same credential as main', `Set ${setting} to another one.`, 2);
    secrets[`${api}.${name}`] = secret;
    const isRouter = api === 'router';
    const { status } = await (isRouter
      ? readRouter('/v2/models?limit=1', name)
      : readJob(jobs.save ?? jobs.api ?? 'none', name));
    const expected = isRouter ? expectedOfCaller(name) : (expectedOfWorkflowCaller[name] ?? [200, 404]);
    const what = `a read returned ${status}`;
    if (expected.includes(status)) return ok(`${what}, as it should`);
    return bad(`${what}, not ${expected.join(' or ')}`, `Set ${setting} to a credential of this kind.`, 3);
  };
  const credentialChecks = (['router', 'workflow'] as const).flatMap((api): Check[] => {
    const sources = new Map<string, string>(Object.entries(live.credentials?.[api] ?? {}));
    const isOpen = api === 'workflow' && live.workflowAuthentication !== 'required';
    const hasMain = sources.has('main') || given[api] !== undefined || !isOpen;
    if (get(`${api}Url`) === undefined) return [];
    const names = new Set([...(hasMain ? ['main'] : []), ...sources.keys()]);
    return [...names].map((name) => ({
      name: `${api}.${name}`,
      run: () => tryCredential(api, name, sources.get(name)),
    }));
  });
  const withUrl = (api: Api, run: () => Promise<Result>): (() => Result | Promise<Result>) =>
    get(`${api}Url`) === undefined ? () => skipped(`not read: no address of the ${api} API`, `Set ${api}Url.`) : run;
  return [
    ...credentialChecks,
    ...Object.entries(jobs).map(([name, job]) => ({
      name: `job ${name}`,
      run: withUrl('workflow', async () => judgeJob(name, await readJob(job))),
    })),
    ...Object.entries(live.graphs ?? {}).map(([name, file]) => ({
      name: `graph ${name}`,
      run: async () => ok(`${(await readGraph(resolve(folder, file))).length} characters of JSON`),
      help: `Correct conform.live.graphs.${name}.`,
    })),
    ...(live.models ?? []).map((model) => ({
      name: `model ${model.id}`,
      run: withUrl('router', async () => {
        const inputs = await readInputs(model, folder);
        const path = `/v2/models/${model.id.split('/').map(encodeURIComponent).join('/')}`;
        const { status } = await readRouter(path);
        const help = 'Name a model that the catalog lists for the credential main.';
        if (status !== 200) return bad(`GET ${path} returned ${status}`, help, 2);
        return judgeInputs(inputs, await readRouter(`${path}/openapi.json`));
      }),
      help: `Correct this entry of conform.live.models.`,
    })),
    { name: 'budget', run: () => judgeBudget(found) },
    ...(hooks?.url === undefined ? [] : [{ ...hooks, url: hooks.url }]).map(({ url, credential }) => ({
      name: 'hooks',
      run: async () => {
        const secret = credential && (await readSecret(credential, 'conform.hooks.credential', io));
        const { status } = await ask(found, url, secret ? { authorization: `Bearer ${secret}` } : {});
        if (status !== 401) return ok(`${url} answers with status ${status}`);
        return bad(`${url} returned 401`, 'Set conform.hooks.credential to a valid credential.', 3);
      },
      help: 'Correct conform.hooks.',
    })),
  ];
}

/** Statuses of a read of the catalog. A caller whose runs are refused may be allowed to read. */
function expectedOfCaller(name: string): readonly number[] {
  const [refusal] = findRefusal(name) ?? [];
  return refusal === undefined ? [200] : refusal === 401 ? [401] : [200, refusal];
}

const expectedOfWorkflowCaller: Readonly<Record<string, readonly number[]>> = {
  forbidden: [403],
  rateLimited: [429, 200, 404],
};

/** What the read of a job of each kind returns (WX-JWF). */
const expectedOfJob: Readonly<Record<string, readonly [status: number, format?: string]>> = {
  save: [200, 'save'],
  api: [200, 'api'],
  foreign: [404],
  expired: [404],
  unreadable: [200, 'api'],
  deleted: [200, 'api'],
  failing: [500],
};

function judgeJob(name: string, { status, json }: Reply): Result {
  const [wanted, format] = expectedOfJob[name] ?? [200];
  const describe = (code: number, shown: unknown): string =>
    code === 200 ? `the format ${JSON.stringify(shown)}` : `status ${code}`;
  const message = `returned ${describe(status, json['format'])}`;
  if (status === wanted && (format === undefined || json['format'] === format)) return ok(message);
  // The job may be right and the service wrong, which is for conform to find.
  const help = `Check that conform.jobs.${name} is such a job. If it is, conform reports the service.`;
  return warn(`${message}, expected ${describe(wanted, format)}`, help);
}

function judgeInputs(model: object, reply: Reply): Result {
  if (reply.status !== 200)
    return bad(`its document returned ${reply.status}`, 'Ask the operators of the router for it.', 3);
  const schema = readModelOperation(reply.json)?.input?.schema;
  if (!isJsonObject(schema)) return warn('its document has no schema of an input', 'conform reports such a document.');
  const check = compileSchema(schema, { root: reply.json, unreadable: 'accept', side: 'input' });
  // The input of strict mode has the form of another provider.
  const names = ownerSettings.inputs.map(({ name }) => name).filter((name) => name !== 'strictInput');
  const stated = names.filter((name) => Reflect.get(model, name) !== undefined);
  for (const name of stated) {
    const [violation] = check(Reflect.get(model, name));
    if (violation === undefined) continue;
    return bad(`${name} is invalid: ${violation.pointer || 'the object'} ${violation.message}`, 'Correct it.', 2);
  }
  return ok(`listed; valid against its schema: ${stated.join(', ')}`);
}

function judgeBudget({ get, config }: Surroundings): Result {
  const [runs, models] = [get('conform.live.budget'), config.conform?.live?.models ?? []];
  if (runs === 0) return skipped('0 runs: rules that need a run are left out', 'Set --budget or conform.live.budget.');
  if (models.length === 0) return bad(`${runs} runs, and no model that may run`, 'Set conform.live.models.', 2);
  const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
  const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
  return ok(`${runs} runs, of ${models.length} models${cost}`);
}

const patience = { deadlineMs: 15_000, maxBytes: 16 * 1024 * 1024 };

/** One GET, with the headers for a gateway. Throws where no response comes, or a secret would cross a public network. */
export async function ask(
  found: Surroundings,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const gateway = await gatewayHeaders(found, Object.keys(headers), found.io);
  if (Object.keys(headers).length + gateway.length > 0) refusePlainHttp(url, found.flags.allowHttp);
  const extra = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
  const { http } = nodePorts(await readTls(found, found.io));
  const outcome = await http({ url, headers: { ...extra, ...headers }, ...patience });
  if (outcome.kind === 'no-response') throw new Error(`${new URL(url).origin} does not answer: ${outcome.detail}`);
  return { status: outcome.status, json: readObject(outcome.bytes) };
}

function readObject(bytes: Uint8Array): JsonObject {
  try {
    return asObject(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
