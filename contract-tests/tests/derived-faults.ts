import {
  compileSchema,
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOperations,
  type Operation,
  type ResolvedResponse,
  type Schema,
} from '../../specs/src/index.ts';
import { runConformance } from '../src/conform.ts';
import { createContext } from '../src/contract/context.ts';
import { emptyDiscovery } from '../src/contract/discovery.ts';
import { once, parseBody, parseJson, readHeader } from '../src/contract/evidence.ts';
import type { Exchange, Exchanger, WireResponse } from '../src/contract/exchange.ts';
import type { Rule } from '../src/contract/rule.ts';
import { findOperation, type Target } from '../src/contract/target.ts';
import type { StartSystem } from '../src/prove/worker.ts';
import { listFailures } from '../src/report/report.ts';
import { passiveRules } from '../src/rules/index.ts';
import { listWrongValues } from '../src/rules/wrong-values.ts';
import { decidePassiveRule, listPassiveEvidence } from '../src/run/engine.ts';
import { unmetConditions } from '../src/run/plan.ts';

/** A change to a response of one operation and status that violates one statement of the documents. */
export type DerivedFault = {
  readonly id: string;
  readonly operation: Operation;
  readonly status: number | undefined;
  readonly change: (response: WireResponse) => WireResponse | undefined;
};
type NamedChange = readonly [name: string, change: DerivedFault['change']];

/** Derives one fault for each statement of the effective specifications about a response, in document order. */
export function deriveFaults(specs: EffectiveSpecs): readonly DerivedFault[] {
  return listOperations(specs).flatMap((operation) => {
    const root = operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
    return Object.entries(operation.responses).flatMap(([key, response]) => {
      const status = key === 'default' ? undefined : Number(key);
      return [
        ...Object.entries(response.headers).flatMap(([name, header]) => breakHeader(name, header, root)),
        ...breakBody(response, root, isError(status)),
        ...breakStatus(operation, status),
      ].map(([name, change]) => ({ id: `${operation.operationId} ${key} ${name}`, operation, status, change }));
    });
  });
}

function breakHeader(
  name: string,
  { required, schema = true }: ResolvedResponse['headers'][string],
  root: JsonObject,
): readonly NamedChange[] {
  const drop = (response: WireResponse) =>
    readHeader(response, name) === undefined ? undefined : withHeader(response, name);
  // Also add the header if it was missing, because an optional header must be valid, too.
  const texts = listWrongTexts(schema, root).map(
    (text): NamedChange => [`${name} ${JSON.stringify(text)}`, (response) => withHeader(response, name, text)],
  );
  return required ? [[`${name} dropped`, drop], ...texts] : texts;
}

function listWrongTexts(schema: Schema, root: JsonObject): readonly string[] {
  const list = (of: Schema, valid: JsonValue) =>
    listWrongValues(of, root).flatMap(({ change }) => [change(valid)].filter((value) => value !== undefined));
  const content = isJsonObject(schema) ? schema['contentSchema'] : undefined;
  if (isJsonObject(content)) return ['no JSON', ...list(content, ['a text']).map((value) => JSON.stringify(value))];
  const check = compileSchema(schema, { root });
  // Some headers contain JSON and others plain text, so a value is only wrong if both interpretations are invalid.
  const isWrong = (text: string): boolean => [text, parseJson(text) ?? text].every((one) => check(one).length > 0);
  return [...new Set(list(schema, '').map(String))].filter(isWrong);
}

const isError = (status = 400): boolean => status >= 400;

function breakBody({ content }: ResolvedResponse, root: JsonObject, ofError: boolean): readonly NamedChange[] {
  const types = Object.keys(content);
  const schema = content['application/json'];
  if (types.length === 0) return [['a body', (response) => ({ ...response, body: encode('{}') })]];
  if (schema === undefined) return [];
  const values = listWrongValues(schema, root).map(({ name, change }): NamedChange => [name, onJson(change)]);
  const label = onLabelled((response) => withHeader(response, 'Content-Type', 'text/plain'));
  const whole: readonly NamedChange[] = [
    ['body empty', onLabelled((response) => ({ ...response, body: new Uint8Array() }))],
    ['body cut', onLabelled((response) => ({ ...response, body: response.body.slice(0, -2) }))],
    ['a page', (response) => ({ ...withHeader(response, 'Content-Type', 'text/html'), body: page })],
    // The documents define no media type for errors (OP-041).
    ...(ofError ? [] : [['labelled as text', label] as const]),
  ];
  // If any media type is allowed, a different one violates nothing.
  return [...values, ...(types.includes('*/*') ? whole.slice(0, 2) : whole)];
}

const page = encode('<html><body>Bad gateway</body></html>');

/** Statuses that a server might return on success; 299 and 599 represent all others. */
const successes = [200, 201, 202, 204, 299, 599];

/** Returns the same body with a different status: any status instead of a success, a success instead of an error (OP-071). */
function breakStatus({ responses }: Operation, status: number | undefined): readonly NamedChange[] {
  const listed = Object.keys(responses)
    .map(Number)
    .filter((one) => one < 400);
  const others = isError(status) ? [299] : [...new Set([...successes, ...listed])].filter((one) => one !== status);
  const empty = { status: 204, body: new Uint8Array() };
  return others.map((one) => [
    `status ${one}`,
    (response) => (one === 204 ? { ...withHeader(response, 'Content-Type'), ...empty } : { ...response, status: one }),
  ]);
}

function onJson(change: (body: JsonValue) => JsonValue | undefined): DerivedFault['change'] {
  return onLabelled((response) => {
    const before = parseBody(response);
    const after = before.kind === 'json' ? change(before.value) : undefined;
    return after === undefined ? undefined : { ...response, body: encode(JSON.stringify(after)) };
  });
}

/** Only applies a change to JSON responses, because a result may be a file. */
function onLabelled(change: DerivedFault['change']): DerivedFault['change'] {
  return (response) => (/json/.test(readHeader(response, 'Content-Type') ?? '') ? change(response) : undefined);
}

function withHeader(response: WireResponse, name: string, value?: string): WireResponse {
  const kept = response.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...response, headers: value === undefined ? kept : [...kept, [name, value]] };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export type AnsweredExchange = Exchange & { readonly result: WireResponse; readonly operationId: string | undefined };

export type DerivedOptions = {
  readonly specs: EffectiveSpecs;
  readonly start: StartSystem;
};

/** Finds a derived fault that makes a rule fail: in single responses if the rule is passive, otherwise in a check. */
export function createDerivedProofFinder(options: DerivedOptions) {
  const faults = deriveFaults(options.specs);
  let healthyCheck: ReturnType<typeof checkSystem> | undefined;
  return async (ruleId: string): Promise<string | undefined> => {
    const passive = passiveRules.filter(({ id }) => id === ruleId);
    if (passive.length > 0) {
      healthyCheck ??= checkSystem(options);
      const { responses, target } = await healthyCheck;
      const find = createFinder(options, target, passive);
      const proof = faults.find((fault) => (find(fault, responses) ?? []).length > 0);
      if (proof !== undefined) return proof.id;
    }
    const rules = [ruleId];
    const { responses } = await checkSystem(options, { rules });
    const findLast = (fault: DerivedFault): number =>
      responses.findLastIndex((exchange) => applyFault(fault, exchange) !== undefined);
    // The calls of the rule come after those of discovery, so begin with the faults of the last responses.
    const applicable = faults
      .map((fault) => ({ fault, last: findLast(fault) }))
      .filter(({ last }) => last >= 0)
      .toSorted((one, other) => other.last - one.last);
    for (const { fault } of applicable)
      if ((await checkSystem(options, { fault, rules })).failed.includes(ruleId)) return fault.id;
    return undefined;
  };
}

/**
 * Returns a function that finds the passive rules with a finding on a response with a fault, but not on the response
 * without it. The function returns undefined if the fault can be applied to no response.
 */
export function createFinder({ specs }: DerivedOptions, target: Target, rules = passiveRules) {
  const context = createContext(target, specs, emptyDiscovery);
  const applicable = rules.filter((rule) => unmetConditions(rule, target).length === 0);
  const listFailed = (exchange: Exchange): readonly string[] => {
    const evidence = listPassiveEvidence([exchange], context);
    const fails = (rule: Rule) => decidePassiveRule(rule, evidence, new Map(), context).kind === 'failed';
    return applicable.filter(fails).map(({ id }) => id);
  };
  const healthy = new Map<Exchange, readonly string[]>();
  return (fault: DerivedFault, exchanges: readonly AnsweredExchange[]): readonly string[] | undefined => {
    for (const exchange of exchanges) {
      const faulty = applyFault(fault, exchange);
      if (faulty === undefined) continue;
      const before = once(healthy, exchange, () => listFailed(exchange));
      return listFailed(faulty).filter((ruleId) => !before.includes(ruleId));
    }
    return undefined;
  };
}

type Deviating = { readonly fault?: DerivedFault; readonly rules?: readonly string[] };

/**
 * Applies all rules, or only `rules`, to a healthy system with a fault in its responses. Returns its target, its
 * responses without the fault, and the ids of the failed rules.
 */
export async function checkSystem({ specs, start }: DerivedOptions, { fault, rules }: Deviating = {}) {
  const { target, ports, close } = await start({ faults: [], variants: [] });
  const responses: AnsweredExchange[] = [];
  const exchange: Exchanger = async (request, deadlineMs) => {
    const startedAtMs = ports.clock.now();
    const result = await ports.exchange(request, deadlineMs);
    if (result.kind === 'no-response') return result;
    const { operation } = findOperation(request, [target.router?.url, target.workflow?.url], specs) ?? {};
    const api = operation?.api === 'workflow-execution' ? 'workflow' : 'router';
    const timing = { startedAtMs, durationMs: ports.clock.now() - startedAtMs };
    const operationId = operation?.operationId;
    const answered: AnsweredExchange = { step: 'response', attempt: 1, api, request, result, timing, operationId };
    responses.push(answered);
    return ((fault && applyFault(fault, answered)) ?? answered).result;
  };
  const limits = { runMs: Number.MAX_SAFE_INTEGER };
  const input = { target, specs, limits, evidence: 'none', ...(rules && { rules }) } as const;
  const report = await runConformance(input, { ...ports, exchange });
  await close();
  return { target, responses, failed: listFailures(report).map(({ ruleId }) => ruleId) };
}

function applyFault(
  { operation, status, change }: DerivedFault,
  exchange: AnsweredExchange,
): AnsweredExchange | undefined {
  const { result } = exchange;
  const isUnlisted = result.status >= 400 && operation.responses[result.status] === undefined;
  const isAffected = status === undefined ? isUnlisted : result.status === status;
  if (!isAffected || exchange.operationId !== operation.operationId) return undefined;
  const faulty = change(result);
  return faulty && { ...exchange, result: faulty };
}
