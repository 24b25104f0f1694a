import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { SandboxError } from '../errors.ts';
import { type ModelBehaviour, modelFailure } from '../provider/behaviours.ts';
import { isFailureName } from '../provider/provider-response.ts';
import { type AdminRoutes, readModelId } from './admin.ts';

const route = '/__sandbox/models/{provider}/{model}/behaviour';

/** Does the same as `sandbox.on` for tests in other processes, with a fixed output. */
export const behaviourRoutes: AdminRoutes = {
  [`PUT ${route}`]: {
    description:
      'sets what the runs of a model give: {"output": …, "failure": "provider_error", "upstream_status": 529, "failure_rate": 0.1, "latency_ms": 800}, all optional',
    takes: ['output', 'failure', 'upstream_status', 'failure_rate', 'latency_ms'],
    handle: (call, { world }) => {
      const { body } = call;
      const id = readModelId(call);
      if (!world.catalog.byId.has(id)) return undefined;
      const { output } = body;
      world.behaviours.set(id, output === undefined ? undefined : () => output, readBehaviour(body));
      return body;
    },
  },
  [`DELETE ${route}`]: {
    description: 'lets a model behave as its document describes',
    handle: (call, { world }) => {
      world.behaviours.remove(readModelId(call));
      return {};
    },
  },
};

/** Without a rate, a failure is that of every run. */
function readBehaviour(body: JsonObject): ModelBehaviour {
  const { failure: name, failure_rate: rate = name === undefined ? 0 : 1, latency_ms: latencyMs } = body;
  const { upstream_status: upstreamStatus } = body;
  if (name !== undefined && !isFailureName(name)) throw new SandboxError(`there is no failure ${JSON.stringify(name)}`);
  const details =
    upstreamStatus === undefined ? {} : { upstreamStatus: parseNumber('upstream_status', upstreamStatus) };
  return {
    failureRate: parseNumber('failure_rate', rate),
    ...(name === undefined ? {} : { failure: modelFailure(name, details) }),
    ...(latencyMs === undefined ? {} : { latencyMs: parseNumber('latency_ms', latencyMs) }),
  };
}

function parseNumber(name: string, value: JsonValue): number {
  if (typeof value !== 'number') throw new SandboxError(`${name} must be a number`);
  return value;
}
