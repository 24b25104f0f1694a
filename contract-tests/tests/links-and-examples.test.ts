import { beforeAll, expect, test } from 'vitest';
import { createSandbox, manualClock, sandboxCredentials } from '../../sandbox/src/index.ts';
import {
  buildEffectiveSpecs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOperations,
  type Operation,
  resolvePointer,
} from '../../specs/src/index.ts';

// Uses the API documents like a tool does: sends the examples, then follows the documented links of each response.

type Values = Readonly<Record<string, string>>;
type Visit = { readonly operation: Operation; readonly status: number; readonly via: string };
type Journey = { readonly values: Values; readonly via: string; readonly links: number };

const specs = buildEffectiveSpecs();
const operations = listOperations(specs);
const visits: Visit[] = [];
const longestJourney = 3;

beforeAll(async () => {
  const clock = manualClock();
  const sandbox = createSandbox({ specs, clock });

  async function visit(operation: Operation, { values, via, links }: Journey): Promise<void> {
    const response = await sandbox.fetch(requestFor(operation, values));
    const body = await response.text();
    visits.push({ operation, status: response.status, via });
    if (links === longestJourney) return;
    // Lets some queued runs complete before the next request.
    clock.advance(100);
    for (const { name, target, parameters } of listLinks(operation, response.status)) {
      const found = valuesFor(parameters, { values, response, body });
      const next = operations.find(({ operationId }) => operationId === target);
      const journey = { values: found ?? {}, via: `${via} → ${name}`, links: links + 1 };
      if (next !== undefined && found !== undefined) await visit(next, journey);
    }
  }

  for (const operation of operations) {
    // Links of submissions lead to operations that need a request id.
    if (operation.path.includes('{request_id}')) continue;
    const { operationId } = operation;
    await visit(operation, { values: readExamples(operation, ['path']), via: operationId, links: 0 });
    await visit(operation, {
      values: readExamples(operation, ['path', 'query']),
      via: `${operationId} in full`,
      links: 0,
    });
  }
  sandbox.close();
}, 60_000);

test('the examples and links of the documents reach every operation and resolve', () => {
  const reached = visits.filter(({ status }) => status < 400).map(({ operation }) => operation.operationId);
  expect([...new Set(reached)].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  const refused = visits.filter(({ via, status }) => !via.includes('→') && status >= 300);
  expect(refused.map(({ via, status }) => `${via}: ${status}`)).toEqual([]);
  const lost = visits.filter(({ operation, status }) => status === 404 || !(String(status) in operation.responses));
  expect(lost.map(({ via, status }) => `${via}: ${status}`)).toEqual([]);
});

test('the examples and links of the documents lead to every documented link', () => {
  const documented = operations.flatMap((operation) =>
    Object.keys(operation.responses).flatMap((status) =>
      listLinks(operation, Number(status)).map(({ name }) => `${operation.operationId} ${status} ${name}`),
    ),
  );
  const followed = visits.map(({ via }) => via.split(' → ').at(-1));
  expect(documented).not.toEqual([]);
  expect(documented.filter((line) => !followed.includes(line.split(' ').at(-1)))).toEqual([]);
});

function readExamples({ parameters }: Operation, places: readonly string[]): Values {
  const shown = parameters.filter((one) => places.includes(one.in) && one.example !== undefined);
  return Object.fromEntries(shown.map(({ name, example }) => [name, String(example)]));
}

function requestFor(operation: Operation, values: Values): Request {
  const own = sandboxCredentials[operation.api === 'model-router' ? 'router' : 'workflow'].main;
  const body = exampleBody(operation);
  const headers = new Headers({ Authorization: `Bearer ${own}`, 'Content-Type': 'application/json' });
  const query = new URLSearchParams();
  let { path } = operation;
  for (const { name, in: place } of operation.parameters) {
    const value = values[name];
    if (value === undefined) continue;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  return new Request(`http://sandbox.test${path}?${query}`, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Returns a part of the operation in its document, with references resolved. */
function readPart(operation: Operation, ...keys: readonly string[]): JsonObject {
  const document = operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
  const root: JsonValue = JSON.parse(JSON.stringify(document));
  let part: JsonValue | undefined = root;
  for (const key of ['paths', operation.path, operation.method.toLowerCase(), ...keys]) {
    part = isJsonObject(part) ? part[key] : undefined;
    if (isJsonObject(part) && typeof part['$ref'] === 'string') part = resolvePointer(root, part['$ref'].slice(1));
  }
  return isJsonObject(part) ? part : {};
}

function exampleBody(operation: Operation): JsonValue | undefined {
  const keys = ['requestBody', 'content', 'application/json', 'examples'];
  const [name] = Object.keys(readPart(operation, ...keys));
  return name === undefined ? undefined : readPart(operation, ...keys, name)['value'];
}

type Link = { readonly name: string; readonly target: string; readonly parameters: JsonObject };

function listLinks(operation: Operation, status: number): readonly Link[] {
  const keys = ['responses', String(status), 'links'];
  return Object.keys(readPart(operation, ...keys)).map((name) => ({
    name,
    target: String(readPart(operation, ...keys, name)['operationId']),
    parameters: readPart(operation, ...keys, name, 'parameters'),
  }));
}

type Answer = { readonly values: Values; readonly response: Response; readonly body: string };

/** Evaluates the runtime expressions of a link. Returns undefined if the response lacks a value. */
function valuesFor(parameters: JsonObject, { values, response, body }: Answer): Values | undefined {
  const found = Object.entries(parameters).map(([name, expression]): [string, JsonValue | undefined] => {
    const [, place = '', rest = ''] =
      /^\$(request\.path|response\.header|response\.body)[.#](.*)$/.exec(String(expression)) ?? [];
    if (place === 'request.path') return [name, values[rest]];
    if (place === 'response.header') return [name, response.headers.get(rest) ?? undefined];
    return [name, place === 'response.body' ? resolvePointer(JSON.parse(body), rest) : undefined];
  });
  if (found.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]));
}
