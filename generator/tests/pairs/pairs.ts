import { isJsonObject, type JsonObject, type JsonValue, type Side } from '../../../specs/src/index.ts';
import type { Change } from '../../src/diff/change.ts';
import type { ModelBinding } from '../../src/model/model-binding.ts';
import { type Field, listTypeNames, type ObjectType, type TsType, unknownType } from '../../src/typing/ts-type.ts';
import { diffFiles, emitBinding } from '../diff-documents.ts';
import type { Dice } from '../random-documents/dice.ts';
import { compileRawSchema } from '../raw-ajv-schema.ts';
import { normaliseModel } from '../read-model.ts';
import { type Consumer, compileConsumers } from './consumers.ts';
import { undecided } from './hand-pairs.ts';
import { mutateDocument } from './mutate.ts';
import type { HandPair } from './pair-words.ts';
import { memberNames, usesName, valuesAround } from './values.ts';

/** The verdict of diff on the input or output of a changed document, and a break that compiler or validators found. */
export type JudgedChange = {
  readonly mutation: string;
  readonly side: Side;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly isCalledBreaking: boolean;
  /** Describes a call or code that breaks; undefined if none was found. */
  readonly witness: string | undefined;
  readonly changes: readonly Change[];
};
type Form = { document: JsonObject; binding: ModelBinding; files: ReturnType<typeof emitBinding> };
/** `values`: values that are also tried as inputs and outputs. */
type Pair = { mutation: string; before: Form; after: Form; dice: Dice; values: readonly JsonValue[] };

/** Makes `times` copies of each document with one random change, and judges these changes. */
export function judgeMutations(documents: readonly JsonObject[], times: number, dice: Dice): JudgedChange[] {
  const pairs = documents.flatMap((document) =>
    Array.from({ length: times }, () => makePair(document, dice)).filter((pair) => pair !== undefined),
  );
  return judgePairs(pairs);
}

function judgePairs(pairs: readonly Pair[]): JudgedChange[] {
  const values = pairs.map((pair) => findWitnesses(pair));
  const complaints = compileConsumers(pairs.map((pair, index) => writeConsumer(pair, values[index]?.literals ?? [])));
  return pairs.flatMap(({ mutation, before, after }, index) => {
    const changes = diffFiles(before.files, after.files);
    return (['input', 'output'] as const).map((side): JudgedChange => {
      const witness = missingName(before, after) ?? complaints[index]?.[side] ?? values[index]?.[side];
      const isCalledBreaking = changes.some(
        ({ verdict, direction, rule }) => verdict === 'breaking' && (direction === side || rule === 'export-removed'),
      );
      return { mutation, side, before: before.document, after: after.document, isCalledBreaking, witness, changes };
    });
  });
}

/** Judges handwritten pairs. `alarms`: false alarms. `known`: false alarms that are listed in `undecided`. */
export function judgeWritten(
  pairs: readonly HandPair[],
  dice: Dice,
): Readonly<Record<'judged' | 'missed' | 'alarms' | 'known', readonly JudgedChange[]>> {
  const written = pairs.flatMap(({ name, before, after, components: [old, now], values }): Pair[] => {
    const [first, second] = [makeForm(wrap(before, old)), makeForm(wrap(after, now))];
    const objects = values.map((x) => ({ x }));
    return first && second ? [{ mutation: name, before: first, after: second, dice, values: objects }] : [];
  });
  const judged = judgePairs(written);
  const called = judged.filter(({ witness, isCalledBreaking }) => witness === undefined && isCalledBreaking);
  const isKnown = ({ mutation, side }: JudgedChange): boolean => undecided.includes(`${mutation}, ${side}`);
  return {
    judged,
    missed: judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking),
    alarms: called.filter((one) => !isKnown(one)),
    known: called.filter(isKnown),
  };
}

/** Creates the document of a model whose input and output have the schema as a member `x`. */
function wrap(x: JsonValue, schemas: JsonObject): JsonObject {
  const content = { 'application/json': { schema: { type: 'object', properties: { x }, required: ['x'] } } };
  return {
    openapi: '3.1.0',
    info: { title: 'p/m', version: '0' },
    paths: {
      '/v2/models/p/m': { post: { requestBody: { content }, responses: { 200: { description: '', content } } } },
    },
    components: { schemas },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
  };
}

function makePair(document: JsonObject, dice: Dice): Pair | undefined {
  const mutated = mutateDocument(document, dice);
  const [before, after] = [makeForm(document), mutated && makeForm(mutated.document)];
  return mutated && before && after && { mutation: mutated.name, before, after, dice, values: [] };
}

function makeForm(document: JsonObject): Form | undefined {
  const { binding } = normaliseModel(document);
  return binding && { document, binding, files: emitBinding(binding) };
}

function readDeclarations({ files }: Form): string {
  return files.find(({ path }) => path.endsWith('.d.ts'))?.contents ?? '';
}

function reached({ binding }: Form, side: Side): Set<string> {
  const names = new Set(listTypeNames(binding[side].type));
  const types = new Map(binding.types.map(({ name, type }) => [name, type]));
  // The loop also visits members that are added while it runs.
  for (const name of names) for (const inner of listTypeNames(types.get(name) ?? unknownType)) names.add(inner);
  return new Set([...names].map(String));
}

function shared(before: Form, after: Form, side: Side): string[] {
  const now = new Set(after.binding.types.map(({ name }) => String(name)));
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
    members: [
      ...listWrites(before),
      ...listInputReads(before),
      ...(['input', 'output'] as const).flatMap((side) =>
        shared(before, after, side).flatMap((name) => {
          const type = before.binding.types.find((one) => one.name === name)?.type ?? unknownType;
          return listReads(type, before.binding, readsDeep).map((path) => {
            const member = /^\.(\w+)!$/.exec(path)?.[1] ?? '';
            // Code writes members of inputs, whose type may become wider, and reads members of outputs.
            const sent = `(): Partial<Api.${name}> => ({ ${member}: null as never })`;
            return { side, code: side === 'output' ? `(value: Api.${name}) => value${path}` : sent };
          });
        }),
      ),
    ],
    read: shared(before, after, 'output'),
    reads: [...new Set(listReads(before.binding.output.type, before.binding, 0))].slice(0, maxReads),
    uses: listUses(before.binding.output.type, before.binding, 0)
      .map(({ path, code }) => `((v = output${path}) => ${code})()`)
      .slice(0, maxUses),
    inputs,
  };
}

/** Lists assignments to the members of an input without alternatives. */
function listWrites({ binding }: Form): Consumer['members'] {
  const paths = listReads(binding.input.type, binding, 0).filter((path) => /^\.\w+!$/.test(path));
  return paths
    .slice(0, maxReads)
    .map((path) => ({ side: 'input', code: `(value: Api.Input) => { value${path.slice(0, -1)} = null as never; }` }));
}

/** Lists reads of the members and items below an input. */
function listInputReads({ binding }: Form): Consumer['members'] {
  const paths = [...new Set(listReads(binding.input.type, binding, 0))].slice(0, maxReads);
  return paths.map((path) => ({ side: 'input', code: `(value: Api.Input) => value${path}` }));
}

const maxReads = 40;
const maxUses = 80;
const readsDeep = 5;

/** Lists the members below a type, as expressions that read them. */
function listReads(type: TsType, binding: ModelBinding, depth: number): string[] {
  if (depth > readsDeep) return [];
  switch (type.kind) {
    case 'reference': {
      const named = binding.types.find(({ name }) => name === type.name);
      return named === undefined ? [] : listReads(named.type, binding, depth + 1);
    }
    case 'union':
    case 'intersection': {
      // Code can only read members of a union directly if just one alternative has members.
      const found = type.members
        .map((member) => listReads(member, binding, depth + 1))
        .filter(({ length }) => length > 0);
      return found.length === 1 || type.kind === 'intersection' ? found.flat() : [];
    }
    case 'array':
      return type.rest.kind === 'never' ? [] : listReads(type.rest, binding, depth + 1).map((path) => `[0]!${path}`);
    case 'object':
      return [...type.fields.values()].flatMap((field) => {
        // Use a dot if possible: for a member in brackets, the compiler does not report the type `never`.
        const step = isPlain(field.name) ? `.${field.name}!` : `[${JSON.stringify(field.name)}]!`;
        return [step, ...listReads(field.type, binding, depth + 1).map((path) => `${step}${path}`)];
      });
    default:
      return [];
  }
}

/** Lists uses of values that the types distinguish, such as `v === "a"`, for the member at a path. */
function listUses(type: TsType, binding: ModelBinding, depth: number): Use[] {
  if (depth > readsDeep) return [];
  const inside = (inner: TsType, path: string): Use[] =>
    listUses(inner, binding, depth + 1).map((use) => ({ ...use, path: `${path}${use.path}` }));
  switch (type.kind) {
    case 'reference': {
      const named = binding.types.find(({ name }) => name === type.name);
      return named === undefined ? [] : listUses(named.type, binding, depth + 1);
    }
    case 'literal':
      return type.value === null ? [] : [{ path: '', code: `v === ${JSON.stringify(type.value)}` }];
    case 'scalar':
      return (scalarUses[type.scalar] ?? []).map((code) => ({ path: '', code }));
    case 'union':
      // Code that reads a member of a union of objects first selects an alternative.
      return type.members.flatMap((member) => {
        if (member.kind === 'literal' || member.kind === 'scalar') return listUses(member, binding, depth + 1);
        const found =
          member.kind === 'reference' ? binding.types.find(({ name }) => name === member.name)?.type : member;
        if (found?.kind === 'array') return [{ path: '', code: 'typeof v === "object" && v !== null && v.length' }];
        return found?.kind === 'object' ? listAlternativeUses(found) : [];
      });
    case 'array':
      // A list has items at any index, but a tuple does not.
      return type.rest.kind === 'never' ? [] : [{ path: '', code: 'v[9]' }, ...inside(type.rest, '[0]!')];
    case 'object': {
      const members = [...type.fields.values()].flatMap((field) =>
        inside(field.type, `[${JSON.stringify(field.name)}]!`),
      );
      const others =
        typeof type.rest === 'string' ? [{ path: '["other"]', code: 'v' }] : inside(type.rest, '["other"]!');
      return [...members, ...others];
    }
    default:
      return [];
  }
}

/** Lists expressions that select an alternative by its constant members and then read one of its members. */
function listAlternativeUses({ fields, rest }: ObjectType): Use[] {
  const isTag = ({ type }: Field): boolean => type.kind === 'literal' && type.value !== null;
  const tests = [...fields.values()].filter(isTag).map(({ name, type }) => {
    return `v[${JSON.stringify(name)}] === ${JSON.stringify(type.kind === 'literal' ? type.value : null)}`;
  });
  const start = ['typeof v === "object"', 'v !== null', ...tests].join(' && ');
  const others = fields.size === 0 && typeof rest !== 'string' ? [{ path: '', code: `${start} && v.other` }] : [];
  const own = [...fields.values()].filter(({ name }) => isPlain(name));
  return [
    ...others,
    ...own.flatMap(({ name, type, required }) => [
      { path: '', code: `${start} && v.${name}` },
      { path: '', code: `${start} && v.${name} !== undefined && v["other"]` },
      ...(type.kind === 'scalar' && type.scalar !== 'boolean'
        ? [
            {
              path: '',
              code: `${start} && "${name}" in v && v.${name}${required ? '' : '!'}.${type.scalar === 'string' ? 'length' : 'toFixed(0)'}`,
            },
          ]
        : []),
    ]),
  ];
}

function isPlain(name: string): boolean {
  return /^[a-z_]+$/i.test(name);
}

type Use = { readonly path: string; readonly code: string };
const scalarUses: Readonly<Record<string, readonly string[]>> = {
  boolean: ['v === true', 'v === false'],
  string: ['typeof v === "string" && v.length', 'typeof v === "string" && v === "another value"'],
  number: ['typeof v === "number" && v.toFixed(0)'],
  integer: ['typeof v === "number" && v.toFixed(0)'],
};

type Witnesses = { input: string | undefined; output: string | undefined; literals: JsonValue[] };
const maxLiterals = 30;

/** Finds inputs that were accepted before and are rejected now, and outputs that the older schema rejects. */
function findWitnesses({ before, after, dice, values }: Pair): Witnesses {
  const [was, is] = [createChecks(before), createChecks(after)];
  const [inputs, outputs] = [
    [...values, ...makeValues('input', before, after, dice)],
    [...values, ...makeValues('output', after, before, dice)],
  ];
  // The router only accepts objects.
  const isChecked = after.document['x-service-input-schema-authored'] !== false;
  const accepted = inputs.filter((value) => isJsonObject(value) && was.input(value));
  const refused = accepted.find((value) => isChecked && is.input(value) === false);
  const fresh = outputs.find((value) => is.output(value) && was.output(value) === false);
  const print = (what: string, value: JsonValue | undefined): string | undefined =>
    value === undefined ? undefined : `${what} ${JSON.stringify(value)}`;
  return {
    input: print('now rejected:', refused),
    output: print('never seen before:', fresh),
    literals: [...values.filter((value) => accepted.includes(value)), ...pickVarious(accepted)],
  };
}

/** Selects values with as many different shapes as possible. */
function pickVarious(values: readonly JsonValue[]): JsonValue[] {
  const printShape = (value: JsonValue): string =>
    JSON.stringify(value, (_, part: JsonValue) => (typeof part === 'object' ? part : typeof part));
  const byShape = new Map(values.map((value) => [printShape(value), value]));
  return [...byShape.values()]
    .sort((left, right) => printShape(right).length - printShape(left).length)
    .slice(0, maxLiterals);
}

/** Creates checks with ajv for the raw document. A check returns undefined if ajv itself fails, as for some schemas. */
function createChecks({ document }: Form): Record<Side, (value: JsonValue) => boolean | undefined> {
  const create = (side: Side) => {
    const raw = findRawSchema(side, document);
    const schema = isJsonObject(raw) || typeof raw === 'boolean' ? raw : true;
    const isValid = compileRawSchema(schema, { root: document, side });
    return (value: JsonValue): boolean | undefined => {
      try {
        return isValid(value);
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    };
  };
  return { input: create('input'), output: create('output') };
}

/** Creates values for a schema, without members that only the other document describes: callers don't use these yet. */
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
