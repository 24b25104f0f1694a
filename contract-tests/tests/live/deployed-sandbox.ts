import { createSandbox, sandboxCredentials, sandboxGraphs } from '../../../sandbox/src/index.ts';
import { buildEffectiveSpecs, isJsonObject, readModelOperation, readOwnCatalog } from '../../../specs/src/index.ts';
import { type ConformanceReport, type Handle, inProcessPorts, runConformance, type Target } from '../../src/index.ts';
import { catalog, limits } from '../sandbox-under-test.ts';

type Models = NonNullable<Target['budget']>['models'];

/** The part that is missing in a broken server. */
export type MissingPart = 'validation' | 'authentication' | 'providers';
export type Deployment = {
  readonly runs: number;
  readonly models?: Models;
  readonly broken?: readonly MissingPart[];
  readonly faults?: readonly string[];
  readonly rules?: readonly string[];
  /** Accepts bearer tokens, but no API keys. */
  readonly bearerOnly?: true;
  /** No schema document declares its input schema as authored. */
  readonly unauthored?: true;
};
export type Checked = {
  readonly report: ConformanceReport;
  /** Runs that the sandbox admitted, with their outcomes. */
  readonly admitted: readonly { readonly model: string; readonly outcome: string }[];
};

/** Includes the outcome model `sandbox/outcomes`, but the configuration of the gate doesn't name it. */
const deployed = catalog.filter(({ id }) => id !== 'sandbox-two/outcomes');
const outcomeModel = 'sandbox/outcomes';
const stillModel = 'image-provider/still-2.1';

/** Inputs that an owner may configure for a model in addition to its usual input. */
export const knownInputs = {
  rejectedInput: { prompt: 'A quay that nobody may see' },
  failingInput: { prompt: 'A quay that breaks the provider' },
  slowInput: { prompt: 'A quay in great detail' },
};
const outcomesByPrompt: Readonly<Record<string, object>> = {
  [knownInputs.rejectedInput.prompt]: { outcome: 'content_policy_violation' },
  [knownInputs.failingInput.prompt]: { outcome: 'provider_error' },
  [knownInputs.slowInput.prompt]: { delay_ms: 10_000 },
};

const documents = new Map(readOwnCatalog().map(({ id, document }) => [id, document]));
/** One model of each kind: JSON results, an optional schema and files. */
const front = [
  { id: 'image-provider/still-2.1', input: { prompt: 'A quay' }, deterministic: true },
  { id: 'image-provider/experimental', input: { prompt: 'A quay' } },
  { id: 'audio-provider/speech_v2', input: { text: 'A quay' }, deterministic: true },
];

/** The models in `front`, and all other models whose documents have an example of the input. */
export const ownModels: Models = [
  ...front,
  ...[...documents].flatMap(([id, document]) => {
    if (id.startsWith('sandbox') || front.some((one) => one.id === id)) return [];
    const input = readModelOperation(document, id)?.input?.examples.find(isJsonObject);
    return input === undefined ? [] : [{ id, input }];
  }),
];

const specs = buildEffectiveSpecs();

const unauthored = deployed.map((entry) => ({
  ...entry,
  bytes: Buffer.from(
    Buffer.from(entry.bytes)
      .toString()
      .replace(/("x-service-input-schema-authored":)true/g, '$1false'),
  ),
}));

/** Checks a sandbox as a live service with a complete configuration, without test hooks, and with a clock that the gate cannot advance. */
export async function checkDeployed(deployment: Deployment): Promise<Checked> {
  const { runs, models = ownModels, broken = [], faults = [], rules, bearerOnly } = deployment;
  const sandbox = createSandbox({
    specs,
    clock: 'manual',
    catalog: deployment.unauthored ? unauthored : deployed,
    faults,
  });
  const { router, workflow } = sandboxCredentials;
  const url = 'http://deployed.test';
  const target: Target = {
    kind: 'live',
    router: { url, credentials: router, scheme: bearerOnly ? 'bearer' : 'api-key' },
    workflow: { url, credentials: workflow, jobs: sandbox.jobs, graphs: sandboxGraphs },
    budget: { runs, models },
  };
  const { exchange, clock } = inProcessPorts(
    withoutProviders(
      withoutChecks(withSpecialInputs(bearerOnly ? withoutKeys(sandbox.handle) : sandbox.handle), broken),
      broken,
    ),
    sandbox.clock,
    target,
  );
  const report = await runConformance(
    { target, specs, limits, evidence: 'none', ...(rules === undefined ? {} : { rules }) },
    { exchange, clock },
  );
  // Give queued requests time to be dispatched.
  sandbox.clock.advance(3_600_000);
  const admitted = sandbox.ledger().runs;
  await sandbox.close();
  return { report, admitted };
}

/** Treats each API key as unknown. A token that is sent with a key is then ignored (MR-AUT-05). */
function withoutKeys(handle: Handle): Handle {
  return (request) => {
    const isKeyed = request.headers['x-api-key'] !== undefined;
    return handle(isKeyed ? { ...request, headers: { ...request.headers, 'x-api-key': 'unknown' } } : request);
  };
}

/** Makes a server treat each body as a valid input, each caller as the main caller, or both. */
function withoutChecks(handle: Handle, broken: readonly MissingPart[]): Handle {
  return (request) => {
    const [, id] = /^\/v2\/models\/([^/]+\/[^/?]+)(?:\/requests)?(?:\?.*)?$/.exec(request.target) ?? [];
    const isRun = request.method === 'POST' && id !== undefined;
    const valid = ownModels.find((model) => encodeURI(model.id) === id)?.input ?? {};
    const { authorization: _, 'x-api-key': __, 'idempotency-key': ___, ...plain } = request.headers;
    const mainHeaders: Readonly<Record<string, string>> = {
      ...request.headers,
      'x-api-key': sandboxCredentials.router.main,
    };
    const acceptsAnyBody = broken.includes('validation') && isRun;
    const headers = broken.includes('authentication') ? mainHeaders : request.headers;
    const { authorization, 'x-api-key': key } = headers;
    const caller = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    };
    return handle({
      ...request,
      headers: acceptsAnyBody ? { ...plain, ...caller, 'content-type': 'application/json' } : headers,
      body: acceptsAnyBody ? new TextEncoder().encode(JSON.stringify(valid)) : request.body,
    });
  };
}

/** Makes a server whose providers are all unavailable: each call that it admits ends with 503. */
function withoutProviders(handle: Handle, broken: readonly MissingPart[]): Handle {
  if (!broken.includes('providers')) return handle;
  const body = JSON.stringify({ detail: 'No provider answers.', error_type: 'service_unavailable' });
  return async (request) => {
    const reply = await handle(request);
    const headers = { ...reply.headers, 'X-Service-Error-Type': 'service_unavailable' };
    return request.method === 'POST' && reply.status < 300 ? { ...reply, status: 503, headers, body } : reply;
  };
}

/** Lets the outcome model run the prompts in `outcomesByPrompt`, and returns its replies as those of `stillModel`. */
function withSpecialInputs(handle: Handle): Handle {
  const requests = new Set<string>();
  return async (request) => {
    const prompt = readPrompt(request.body);
    const input = prompt === undefined ? undefined : outcomesByPrompt[prompt];
    const [, id = ''] = /\/requests\/([^/?]+)/.exec(request.target) ?? [];
    const isSpecial = (request.method === 'POST' && input !== undefined) || requests.has(id);
    if (!isSpecial || !request.target.startsWith(`/v2/models/${stillModel}`)) return handle(request);
    const body = input === undefined ? request.body : new TextEncoder().encode(JSON.stringify(input));
    const reply = await handle({ ...request, target: request.target.replace(stillModel, outcomeModel), body });
    const text = typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
    const [, queued] = /"request_id":"([^"]+)"/.exec(text) ?? [];
    if (queued !== undefined) requests.add(queued);
    return { ...reply, body: text.replaceAll(outcomeModel, stillModel) };
  };
}

function readPrompt(body: Uint8Array): string | undefined {
  return /^\{"prompt":"([^"]*)"\}$/.exec(new TextDecoder().decode(body))?.[1];
}
