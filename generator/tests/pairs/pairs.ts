import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, packageRoot, type Side } from '../../../specs/src/index.ts';
import type { SchemaChange } from '../../src/diff/schema-change.ts';
import { printInputSchema, printOutputSchema } from '../../src/emit/shipped-schemas.ts';
import type { ModelBinding } from '../../src/model/model-binding.ts';
import { namesIn, type TypeModel, unknownType } from '../../src/typing/type-model.ts';
import { diffFiles, emitBinding } from '../diff-documents.ts';
import type { Dice } from '../random-documents/dice.ts';
import { normaliseModel } from '../read-model.ts';
import { type Consumer, compileConsumers } from './consumers.ts';
import { mutateDocument } from './mutate.ts';
import { memberNames, usesName, valuesAround } from './values.ts';

/** What diff says of one side of a changed document, and what compiler and validators show. */
export type Judged = {
  readonly mutation: string;
  readonly side: Side;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly isCalledBreaking: boolean;
  /** What breaks a consumer; undefined when nothing was found that does. */
  readonly witness: string | undefined;
  readonly changes: readonly SchemaChange[];
};
type Form = { document: JsonObject; binding: ModelBinding; files: ReturnType<typeof emitBinding> };
type Pair = { mutation: string; before: Form; after: Form; dice: Dice };

type Validator = { accepts(value: unknown): boolean };
const { createValidator }: { createValidator: (schema: JsonValue) => Validator } = await import(
  join(packageRoot(), 'generated/models/validation/validator.js')
);

/** Changes each document `times` times at random, one change each. */
export function judgeMutations(documents: readonly JsonObject[], times: number, dice: Dice): Judged[] {
  const pairs = documents.flatMap((document) =>
    Array.from({ length: times }, () => makePair(document, dice)).filter((pair) => pair !== undefined),
  );
  const values = pairs.map((pair) => findWitnesses(pair));
  const complaints = compileConsumers(pairs.map((pair, index) => writeConsumer(pair, values[index]?.literals ?? [])));
  return pairs.flatMap(({ mutation, before, after }, index) => {
    const changes = diffFiles(before.files, after.files);
    return (['input', 'output'] as const).map((side): Judged => {
      const witness = missingName(before, after) ?? complaints[index]?.[side] ?? values[index]?.[side];
      const isCalledBreaking = changes.some(
        ({ verdict, direction, rule }) => verdict === 'breaking' && (direction === side || rule === 'export-removed'),
      );
      return { mutation, side, before: before.document, after: after.document, isCalledBreaking, witness, changes };
    });
  });
}

function makePair(document: JsonObject, dice: Dice): Pair | undefined {
  const mutated = mutateDocument(document, dice);
  const [before, after] = [makeForm(document), mutated && makeForm(mutated.document)];
  return mutated && before && after && { mutation: mutated.name, before, after, dice };
}

function makeForm(document: JsonObject): Form | undefined {
  const { binding } = normaliseModel(document);
  return binding && { document, binding, files: emitBinding(binding) };
}

function readDeclarations({ files }: Form): string {
  return files.find(({ path }) => path.endsWith('.d.ts'))?.contents ?? '';
}

function reached({ binding }: Form, side: Side): Set<string> {
  const names = new Set(namesIn(binding[side].type));
  const types = new Map(binding.types.map(({ name, type }) => [name, type]));
  // The set grows while it is walked.
  for (const name of names) for (const inner of namesIn(types.get(name) ?? unknownType)) names.add(inner);
  return new Set([...names].map(String));
}

function shared(before: Form, after: Form, side: Side): string[] {
  const now = reached(after, side);
  return [...reached(before, side)].filter((name) => now.has(name));
}

function missingName(before: Form, after: Form): string | undefined {
  const now = new Set(after.binding.types.map(({ name }) => name));
  const missing = before.binding.types.find(({ name }) => !now.has(name));
  return missing === undefined ? undefined : `the name ${missing.name} is gone`;
}

function writeConsumer({ before, after }: Pair, inputs: readonly JsonValue[]): Consumer {
  return {
    before: readDeclarations(before),
    after: readDeclarations(after),
    sent: shared(before, after, 'input'),
    read: shared(before, after, 'output'),
    reads: [...new Set(listReads(before.binding.output.type, before.binding, 0))].slice(0, readsAtMost),
    compares: [...new Set(listCompares(before.binding.output.type, before.binding, 0))].slice(0, readsAtMost),
    inputs,
  };
}

const readsAtMost = 40;
const readsDeep = 5;

/** The members below a type, as they are read. */
function listReads(type: TypeModel, binding: ModelBinding, depth: number): string[] {
  if (depth > readsDeep) return [];
  switch (type.kind) {
    case 'reference': {
      const named = binding.types.find(({ name }) => name === type.name);
      return named === undefined ? [] : listReads(named.type, binding, depth + 1);
    }
    case 'union':
    case 'intersection': {
      // Code that reads a member of several alternatives tells them apart first.
      const found = type.members
        .map((member) => listReads(member, binding, depth + 1))
        .filter(({ length }) => length > 0);
      return found.length === 1 || type.kind === 'intersection' ? found.flat() : [];
    }
    case 'array':
      return type.rest === 'closed' ? [] : listReads(type.rest, binding, depth + 1).map((path) => `[0]!${path}`);
    case 'object':
      return [...type.fields.values()].flatMap((field) => {
        const step = `[${JSON.stringify(field.name)}]!`;
        return [step, ...listReads(field.type, binding, depth + 1).map((path) => `${step}${path}`)];
      });
    default:
      return [];
  }
}

/** Comparisons of members with each of the values that they are listed with. */
function listCompares(type: TypeModel, binding: ModelBinding, depth: number): string[] {
  if (depth > readsDeep) return [];
  switch (type.kind) {
    case 'reference': {
      const named = binding.types.find(({ name }) => name === type.name);
      return named === undefined ? [] : listCompares(named.type, binding, depth + 1);
    }
    case 'literal':
      return type.value === null ? [] : [` === ${JSON.stringify(type.value)}`];
    case 'union':
      // A comparison with a member of several objects needs them told apart first.
      return type.members.flatMap((member) =>
        member.kind === 'literal' || type.members.length === 2 ? listCompares(member, binding, depth + 1) : [],
      );
    case 'array':
      return type.rest === 'closed' ? [] : listCompares(type.rest, binding, depth + 1).map((path) => `[0]!${path}`);
    case 'object':
      return [...type.fields.values()].flatMap((field) =>
        listCompares(field.type, binding, depth + 1).map((path) => `[${JSON.stringify(field.name)}]!${path}`),
      );
    default:
      return [];
  }
}

type Witnesses = { input: string | undefined; output: string | undefined; literals: JsonValue[] };
const literalsAtMost = 30;

/** Inputs accepted before and refused now; outputs that are new to those who know the older schema. */
function findWitnesses({ before, after, dice }: Pair): Witnesses {
  const [was, is] = [before, after].map(({ binding }) => createValidators(binding));
  const [inputs, outputs] = [makeValues('input', before, after, dice), makeValues('output', after, before, dice)];
  const accepted = inputs.filter((value) => was?.input.accepts(value));
  const refused = accepted.find((value) => !is?.input.accepts(value));
  const fresh =
    was?.output && is?.output && outputs.find((value) => is.output?.accepts(value) && !was.output?.accepts(value));
  const print = (what: string, value: JsonValue | undefined): string | undefined =>
    value === undefined ? undefined : `${what} ${JSON.stringify(value)}`;
  return {
    input: print('now refused:', refused),
    output: print('never seen before:', fresh),
    literals: pickVarious(accepted),
  };
}

/** Values of as many shapes as there are. */
function pickVarious(values: readonly JsonValue[]): JsonValue[] {
  const printShape = (value: JsonValue): string =>
    JSON.stringify(value, (_, part: JsonValue) => (typeof part === 'object' ? part : typeof part));
  const byShape = new Map(values.map((value) => [printShape(value), value]));
  return [...byShape.values()]
    .sort((left, right) => printShape(right).length - printShape(left).length)
    .slice(0, literalsAtMost);
}

function createValidators(binding: ModelBinding): { input: Validator; output: Validator | undefined } {
  const output = printOutputSchema(binding);
  return {
    input: createValidator(printInputSchema(binding)),
    output: output === undefined ? undefined : createValidator(output),
  };
}

/** Values with members that both documents name: nobody is taken to have used a name before it was described. */
function makeValues(side: Side, own: Form, other: Form, dice: Dice): JsonValue[] {
  const schema = findRawSchema(side, own.document);
  const [names, others] = [memberNames(own.document), memberNames(other.document)];
  const unknown = new Set(
    side === 'input' ? [...others].filter((name) => !names.has(name)) : [...names].filter((name) => !others.has(name)),
  );
  return valuesAround(schema, [own.document, other.document], dice).filter((value) => !usesName(value, unknown));
}

function findRawSchema(side: Side, document: JsonObject): JsonValue {
  const at = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
    isJsonObject(value) ? value[key] : undefined;
  const [post] = Object.values(isJsonObject(document['paths']) ? document['paths'] : {}).map((item) =>
    at(item, 'post'),
  );
  const holder = side === 'input' ? at(post, 'requestBody') : at(at(post, 'responses'), '200');
  return at(at(at(holder, 'content'), 'application/json'), 'schema') ?? true;
}
