import { beforeAll, expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  listOperations,
} from '../../specs/src/index.ts';
import { type Exchange, exitCodeOf } from '../src/index.ts';
import { isSeenAlone, isTo, mutated, refusedWith, rulesAgainst, runThrough } from './mutated-run.ts';
import { listMutations, type Mutation } from './mutation.ts';

let specs: EffectiveSpecs;
let tape: readonly Exchange[];
type Worsened = { readonly mutation: Mutation; readonly healthy: Exchange; readonly worse: Exchange };
let worsened: readonly Worsened[];
let unreached: readonly string[];

/** Errors that no healthy run brings, made of a refusal that it does bring; 418 stands for what is not listed. */
function listErrors(): readonly Exchange[] {
  return listOperations(specs).flatMap((operation) => {
    const refusal = tape.find((one) => isTo(one, operation, (status) => status === 401));
    const statuses = Object.keys(operation.responses).map((status) => (status === 'default' ? 418 : Number(status)));
    const missing = statuses.filter(
      (wanted) => wanted >= 400 && !tape.some((one) => isTo(one, operation, (status) => status === wanted)),
    );
    return refusal === undefined ? [] : missing.map((status) => refusedWith(refusal, status, specs));
  });
}

/** The first exchange that the mutation makes worse. */
function worsen(mutation: Mutation, exchanges: readonly Exchange[]): readonly Worsened[] {
  for (const healthy of exchanges) {
    const worse = mutated(healthy, mutation);
    if (worse !== undefined) return [{ mutation, healthy, worse }];
  }
  return [];
}

beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  const brought: Exchange[] = [];
  await runThrough(specs, (exchanged) => {
    brought.push(exchanged);
    return exchanged;
  });
  tape = brought;
  const exchanges = [...tape, ...listErrors()];
  const mutations = listMutations(specs);
  worsened = mutations.flatMap((mutation) => worsen(mutation, exchanges));
  const reached = new Set(worsened.map(({ mutation }) => mutation));
  unreached = mutations.filter((mutation) => !reached.has(mutation)).map(({ id }) => id);
}, 120_000);

test('finds each response that departs from the specification in one place', async () => {
  const alone = worsened.filter(({ worse, healthy }) => !isSeenAlone(worse, healthy, specs));
  const missed: string[] = [];
  // What one response cannot show, the whole gate may see in the check that it is part of.
  for (const { mutation } of alone) {
    const report = await runThrough(specs, (exchanged) => mutated(exchanged, mutation) ?? exchanged);
    if (exitCodeOf(report) === 0) missed.push(mutation.id);
  }
  expect(missed).toEqual([]);
}, 300_000);

/** Members and headers that may be left out, and that a healthy sandbox leaves out there. */
const neverSent = [
  ['readModel 200 /input_schema_url', 'null, a number, relative, malformed, too long'],
  ['readSchemaDocument 200 /info/x-service-input-schema-authored', 'null, a text'],
  ['collectRequest 200 X-Service-Credits-Used', 'in words, negative, with a fraction'],
  ['collectRequest 202 /error_type', 'null, a number'],
  ['readJobWorkflow 401 /error/details', 'a text'],
  ['readJobWorkflow 403 /error/details', 'a text'],
  ['readJobWorkflow 404 /error/details', 'a text'],
  ['readJobWorkflow 429 /error/details', 'a text'],
  ['readJobWorkflow 500 /error/details', 'a text'],
].flatMap(([place = '', ways = '']) => ways.split(', ').map((way) => `${place} ${way}`));

test('lists the mutations that no response permits', () => {
  expect(unreached).toEqual(neverSent);
});

test('finds nothing in a healthy run', () => {
  expect(rulesAgainst(tape, specs)).toEqual([]);
});
