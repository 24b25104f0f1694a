import {
  compileSchema,
  formatPointer,
  isJsonObject,
  type JsonValue,
  readSchema,
  sampleValues,
} from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NoOccasion } from '../../contract/errors.ts';
import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { post, step } from '../../contract/steps.ts';
import { validation } from '../../requires.ts';
import { onResponse } from '../builders/checks.ts';
import { jsonBody } from '../builders/router-steps.ts';
import { expectPath, wrongScalar } from './validation.ts';

type Path = readonly (string | number)[];
type Broken = { readonly input: JsonValue; readonly path: Path };

const samplesAtMost = 6;
const leavesAtMost = 100;

function listLeaves(value: JsonValue, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => listLeaves(one, [...path, index]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => listLeaves(one, [...path, name]));
  return [path];
}

function replaceAt(value: JsonValue, [first, ...rest]: Path): JsonValue {
  if (first === undefined) return wrongScalar;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? replaceAt(one, rest) : one));
  return isJsonObject(value) ? { ...value, [first]: replaceAt(value[first] ?? null, rest) } : value;
}

/** In an array, in an object, and at the top: each shows another mistake. */
const places: readonly ((path: Path) => boolean)[] = [
  (path) => path.some((part) => typeof part === 'number'),
  (path) => path.length > 1 && path.every((part) => typeof part === 'string'),
  (path) => path.length === 1,
];

const known = new WeakMap<DiscoveredModel, readonly Broken[]>();

/** Valid inputs of which one field alone is wrong, and the path to it. */
function breakFields(model: DiscoveredModel): readonly Broken[] {
  const earlier = known.get(model);
  if (earlier !== undefined) return earlier;
  const { inputSchema, document, input } = model;
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const canonical = readSchema(document, inputSchema, 'input');
  let state = 0;
  const random = (): number => (state++ * 0.618034) % 1;
  const samples = [...sampleValues(canonical, { random, prefer: 'full' })].slice(0, samplesAtMost);
  const isBroken = ({ input: wrong, path }: Broken): boolean => {
    const pointers = check(wrong).map(({ pointer }) => pointer);
    return pointers.length > 0 && pointers.every((pointer) => pointer === formatPointer(path.map(String)));
  };
  const candidates = [input, ...samples.filter((sample) => check(sample).length === 0)].flatMap((valid) =>
    listLeaves(valid)
      .slice(0, leavesAtMost)
      .map((path) => ({ input: replaceAt(valid, path), path })),
  );
  const broken = places.flatMap((isThere) => candidates.find((one) => isThere(one.path) && isBroken(one)) ?? []);
  known.set(model, broken);
  return broken;
}

function eachBroken({ authored }: ProbeContext): Probe {
  const broken = breakFields(authored);
  if (broken.length === 0) throw new NoOccasion(`no field of ${authored.id} can be broken by itself`);
  return broken.map(({ input, path }) =>
    step(path.join('/'), post('router', authored.path, jsonBody(input)), { mustAnswer: [422] }),
  );
}

export const brokenFieldRules: readonly Rule[] = defineFamily(
  { requires: [validation], needs: ['errors.validation.entries-have-their-members'], requiredOf: ['sandbox', 'live'] },
  {
    'errors.validation.loc-leads-to-the-broken-field': {
      sentence: 'The loc of an entry is the path to the one field that is wrong, part by part.',
      requirements: ['MR-ERR-11', 'MR-ERR-12', 'MR-ERR-13', 'MR-ERR-14'],
      probe: eachBroken,
      check: (evidence, context) =>
        breakFields(context.authored).flatMap(({ path }) =>
          onResponse(path.join('/'), expectPath(path))(evidence, context),
        ),
    },
  },
);
