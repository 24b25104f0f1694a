import { createSandbox, manualClock, sandboxCredentials, sandboxGraphs } from '../../../sandbox/src/index.ts';
import { buildEffectiveSpecs, isJsonObject, readModelOperation, readOwnCatalog } from '../../../specs/src/index.ts';
import { type ConformanceReport, type Handle, inProcessPorts, runConformance, type Target } from '../../src/index.ts';
import { catalog, limits } from '../sandbox-under-test.ts';

type Models = NonNullable<Target['budget']>['models'];

/** What a broken server leaves out. */
export type Broken = 'validation' | 'authentication' | 'providers';
export type Deployment = {
  readonly runs: number;
  readonly models?: Models;
  readonly broken?: readonly Broken[];
  readonly faults?: readonly string[];
  readonly rules?: readonly string[];
  /** Takes bearer tokens and no API keys. */
  readonly bearerOnly?: true;
  /** No document says that its input schema is authored. */
  readonly unauthored?: true;
};
export type Checked = {
  readonly report: ConformanceReport;
  /** Runs that the sandbox admitted, and what became of them. */
  readonly admitted: readonly { readonly model: string; readonly outcome: string }[];
};

/** The scripted model is among them; the gate is not told so. */
const deployed = catalog.filter(({ id }) => id !== 'sandbox-two/outcomes');
const scripted = 'sandbox/outcomes';
const standing = 'image-provider/still-2.1';

/** What an owner may know of a model beside its usual input. */
export const knownInputs = {
  rejectedInput: { prompt: 'A quay that nobody may see' },
  failingInput: { prompt: 'A quay that breaks the provider' },
  slowInput: { prompt: 'A quay in great detail' },
};
const special: Readonly<Record<string, object>> = {
  [knownInputs.rejectedInput.prompt]: { outcome: 'content_policy_violation' },
  [knownInputs.failingInput.prompt]: { outcome: 'provider_error' },
  [knownInputs.slowInput.prompt]: { delay_ms: 10_000 },
};

const documents = new Map(readOwnCatalog().map(({ id, document }) => [id, document]));
/** One model of each kind. */
const front = [
  { id: 'image-provider/still-2.1', input: { prompt: 'A quay' }, deterministic: true },
  { id: 'image-provider/experimental', input: { prompt: 'A quay' } },
  { id: 'audio-provider/speech_v2', input: { text: 'A quay' }, deterministic: true },
];

/** One model of each kind, and the others whose documents give an example of their input. */
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

/** Checks a sandbox as the live service of an owner who states everything: no test hooks, and a clock of its own. */
export async function checkDeployed(deployment: Deployment): Promise<Checked> {
  const { runs, models = ownModels, broken = [], faults = [], rules, bearerOnly } = deployment;
  const clock = manualClock();
  const sandbox = createSandbox({
    specs,
    clock,
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
  const { exchange, clock: gateClock } = inProcessPorts(
    withoutProviders(
      careless(withSpecialInputs(bearerOnly ? withoutKeys(sandbox.handle) : sandbox.handle), broken),
      broken,
    ),
    clock,
    target,
  );
  const report = await runConformance(
    { target, specs, limits, evidence: 'none', ...(rules === undefined ? {} : { rules }) },
    { exchange, clock: gateClock },
  );
  // What was left in the queue has time to be dispatched.
  clock.advance(3_600_000);
  const admitted = sandbox.ledger().runs;
  await sandbox.close();
  return { report, admitted };
}

/** A key is an unknown one here, and a token beside it is not read (MR-AUT-05). */
function withoutKeys(handle: Handle): Handle {
  return (request) => {
    const isKeyed = request.headers['x-api-key'] !== undefined;
    return handle(isKeyed ? { ...request, headers: { ...request.headers, 'x-api-key': 'unknown' } } : request);
  };
}

/** A server that takes any body for a valid input, and any caller for the main one. */
function careless(handle: Handle, broken: readonly Broken[]): Handle {
  return (request) => {
    const [, id] = /^\/v2\/models\/([^/]+\/[^/?]+)(?:\/requests)?(?:\?.*)?$/.exec(request.target) ?? [];
    const isRun = request.method === 'POST' && id !== undefined;
    const valid = ownModels.find((model) => encodeURI(model.id) === id)?.input ?? {};
    const { authorization: _, 'x-api-key': __, 'idempotency-key': ___, ...plain } = request.headers;
    const anybody: Readonly<Record<string, string>> = {
      ...request.headers,
      'x-api-key': sandboxCredentials.router.main,
    };
    const isBlind = broken.includes('validation') && isRun;
    const headers = broken.includes('authentication') ? anybody : request.headers;
    const { authorization, 'x-api-key': key } = headers;
    const caller = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    };
    return handle({
      ...request,
      headers: isBlind ? { ...plain, ...caller, 'content-type': 'application/json' } : headers,
      body: isBlind ? new TextEncoder().encode(JSON.stringify(valid)) : request.body,
    });
  };
}

/** A server in front of providers that are all down: what it admits ends with 503. */
function withoutProviders(handle: Handle, broken: readonly Broken[]): Handle {
  if (!broken.includes('providers')) return handle;
  const body = JSON.stringify({ detail: 'No provider answers.', error_type: 'service_unavailable' });
  return async (request) => {
    const reply = await handle(request);
    const headers = { ...reply.headers, 'X-Service-Error-Type': 'service_unavailable' };
    return request.method === 'POST' && reply.status < 300 ? { ...reply, status: 503, headers, body } : reply;
  };
}

/** The scripted model runs what is special, under the name of another one. */
function withSpecialInputs(handle: Handle): Handle {
  const requests = new Set<string>();
  return async (request) => {
    const prompt = readPrompt(request.body);
    const input = prompt === undefined ? undefined : special[prompt];
    const [, id = ''] = /\/requests\/([^/?]+)/.exec(request.target) ?? [];
    const isSpecial = (request.method === 'POST' && input !== undefined) || requests.has(id);
    if (!isSpecial || !request.target.startsWith(`/v2/models/${standing}`)) return handle(request);
    const body = input === undefined ? request.body : new TextEncoder().encode(JSON.stringify(input));
    const reply = await handle({ ...request, target: request.target.replace(standing, scripted), body });
    const text = typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
    const [, queued] = /"request_id":"([^"]+)"/.exec(text) ?? [];
    if (queued !== undefined) requests.add(queued);
    return { ...reply, body: text.replaceAll(scripted, standing) };
  };
}

function readPrompt(body: Uint8Array): string | undefined {
  return /^\{"prompt":"([^"]*)"\}$/.exec(new TextDecoder().decode(body))?.[1];
}
