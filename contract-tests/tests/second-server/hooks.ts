import type { IncomingMessage } from 'node:http';
import { readBearer } from './accounts.ts';
import { type Answer, jsonAnswer } from './answers.ts';
import type { Clock } from './clock.ts';
import { type Input, isObject, readBody } from './input.ts';

// Test hooks: time that can be moved, and failures of what an operation depends on.

export const hooksPath = '/test-hooks';

/** A dependency of the server is down for a while. */
export class DependencyDown extends Error {
  override readonly name = 'DependencyDown';
}

const routerOperations = [
  'listModels',
  'readModel',
  'readSchemaDocument',
  'runModel',
  'submitRequest',
  'readStatus',
  'collectRequest',
  'cancelRequest',
];

type Fault = { readonly operation: string; readonly cause: string };

export class Faults {
  readonly #pending: Fault[] = [];

  add(fault: Fault): void {
    this.#pending.push(fault);
  }

  clear(): void {
    this.#pending.length = 0;
  }

  get count(): number {
    return this.#pending.length;
  }

  /** Called where an operation reaches for its storage. */
  meet(operation: string): void {
    const index = this.#pending.findIndex((one) => one.operation === operation);
    const [fault] = index < 0 ? [] : this.#pending.splice(index, 1);
    if (fault?.cause === 'service_unavailable') throw new DependencyDown('The store at 10.0.0.7:5432 does not answer.');
    if (fault) throw new Error(`Row 17 of table ${operation} could not be read.`);
  }
}

type Hooks = { readonly clock: Clock; readonly faults: Faults; readonly credential: string | undefined };

export async function serveHook(hooks: Hooks, request: IncomingMessage): Promise<Answer> {
  if (hooks.credential !== undefined && readBearer(request.headers.authorization) !== hooks.credential) {
    return jsonAnswer(401, { message: 'The hooks need their own credential.' });
  }
  const { method = 'GET', url = '' } = request;
  const body = method === 'POST' ? await readObject(request) : {};
  switch (`${method} ${url.slice(hooksPath.length).split('?')[0]}`) {
    case 'GET ':
      return jsonAnswer(200, {
        version: 1,
        hooks: ['clock', 'script', 'outcomes', 'alternate', 'assets', 'families'],
        server: 'second',
      });
    case 'POST /clock':
      return moveClock(hooks.clock, body);
    case 'POST /script':
      return script(hooks.faults, body);
    case 'DELETE /script':
      hooks.faults.clear();
      return jsonAnswer(200, { pending: 0 });
    default:
      return jsonAnswer(404, { message: 'There is no such hook.' });
  }
}

async function readObject(request: IncomingMessage): Promise<Input> {
  try {
    const value: unknown = JSON.parse((await readBody(request, 10_000)).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function moveClock(clock: Clock, body: Input): Promise<Answer> {
  const wanted = body['advance_ms'];
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 0 || wanted > 604_800_000) {
    return jsonAnswer(400, { message: 'advance_ms has to be a whole number from 0 to 604800000.' });
  }
  await clock.advance(wanted);
  return jsonAnswer(200, { now_ms: clock.now() });
}

function script(faults: Faults, body: Input): Answer {
  const { operation, error_type: errorType, code } = body as Record<string, unknown>;
  const forRouter = code === undefined && (errorType === 'internal_error' || errorType === 'service_unavailable');
  const forWorkflow = errorType === undefined && code === 'upstream_error' && operation === 'readJobWorkflow';
  if (forRouter && routerOperations.includes(String(operation)))
    faults.add({ operation: String(operation), cause: errorType });
  else if (forWorkflow) faults.add({ operation: 'readJobWorkflow', cause: code });
  else return jsonAnswer(400, { message: 'This server cannot script that outcome.' });
  return jsonAnswer(200, { pending: faults.count });
}
