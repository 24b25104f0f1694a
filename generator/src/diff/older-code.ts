import type ts from 'typescript';
import { spend, type Work } from '../../../specs/src/index.ts';
import type { Direction } from './change.ts';
import { joinField } from './words.ts';

/** Code for a value of the older types, and for its parts. */
export type ValueCode = {
  readonly field: string;
  /** Lines that only read the value. */
  readonly reads: readonly CodeLine[];
  /** Lines that need one of its alternatives. */
  readonly uses: readonly CodeLine[];
  /** Lines that need the whole type. They also break if only a part of the value breaks. */
  readonly wholeTypeUses: readonly CodeLine[];
  readonly parts: readonly ValueCode[];
};
/** `code`: what a user would write; empty if it would be too unusual for an example. `text`: the compiled function. */
export type CodeLine = { readonly code: string; readonly text: string };

/**
 * Declarations that `CodeLine.text` uses. These functions select alternatives of a type, or return undefined: objects, lists,
 * those of the type of a value, those that have a member, and those that may have some values as a member.
 */
export const helperDeclarations = `declare let a: any, name: string;
type Some<T> = [T] extends [never] ? undefined : T;
declare function object<T>(of: T): unknown extends T ? any : Some<T extends { [name: string]: unknown } ? T : never>;
declare function list<T>(of: T): unknown extends T ? any : Some<T extends readonly unknown[] ? T : never>;
declare function only<T, V>(of: T, like: V): unknown extends T ? any : Some<T extends V ? T : never>;
declare function having<T, K extends string>(of: T, key: K): unknown extends T ? any : Some<T extends unknown ? K extends keyof T ? T : never : never>;
declare function tagged<T, K extends string, V>(of: T, key: K, value: V): Some<T extends { [P in K]: infer U } ? [U & V] extends [never] ? never : T : never>;`;

/** A value that code reaches in some steps. */
type ReachedValue = {
  readonly field: string;
  /** Prints a compiled expression for the value. It skips null and undefined on the way: these are changes of their own. */
  readonly text: (root: 'now' | 'old') => string;
  /** What a user would write, and how it passes values that may be null or undefined; empty for selected alternatives. */
  readonly code: (mark: '?.' | '!') => string;
  /** Its type in each selected alternative. */
  readonly types: readonly ts.Type[];
  /** The types of the values that contain it. */
  readonly enclosingTypes: readonly ts.Type[];
};
type Exports = ReadonlyMap<string, ts.Type>;
type Walk = {
  readonly name: string;
  readonly direction: Direction;
  readonly reader: TypeReader;
  readonly work: Work;
  readonly visited: Set<ts.Type>;
  /** Number of visited values. */
  count: number;
};

const maxVisits = 300;
const membersPerStep = 100;
const maxNested = 30;
const maxType = 90;
const maxTags = 4;

/** Writes code for the older types that uses a value of the exported type `name`, and each of its parts. */
export function writeOlderCode(
  name: string,
  type: ts.Type,
  direction: Direction,
  { reader, work }: Pick<Walk, 'reader' | 'work'>,
): ValueCode {
  const walk = { name, direction, reader, work, visited: new Set<ts.Type>(), count: 0 };
  const [text, code] = [(root: string) => root, () => (isRoot(walk) ? direction : 'value')];
  return visitValue({ field: '', text, code, types: [type], enclosingTypes: [] }, walk);
}

function isRoot({ name }: Walk): boolean {
  return name === 'Input' || name === 'Output';
}

function visitValue(value: ReachedValue, walk: Walk): ValueCode {
  const { field, enclosingTypes } = value;
  const { reader, visited, work } = walk;
  spend(work);
  const alternatives = [...new Set(value.types.flatMap(reader.listAlternatives))];
  const objects = alternatives.filter(reader.isObject);
  // Exported types get their own code, so they are skipped here. Code for the whole input or output also goes through them, but
  // only once each if there are many.
  const isKnown = (one: ts.Type): boolean =>
    enclosingTypes.includes(one) ||
    (!isRoot(walk) && enclosingTypes.length > 0 && reader.isExported(one)) ||
    (walk.count > maxVisits && visited.has(one));
  const visitsParts = enclosingTypes.length <= maxNested && !objects.every(isKnown);
  if (visitsParts) {
    walk.count += 1;
    for (const one of objects) visited.add(one);
  }
  const writeUses = walk.direction === 'input' ? writeInput : writeOutput;
  const inner = { ...value, enclosingTypes: [...enclosingTypes, ...alternatives] };
  const isMixed = objects.length < alternatives.length;
  const parts = visitsParts
    ? [...visitMembers(inner, objects, isMixed, walk), ...visitItems(inner, objects, isMixed, walk)]
    : [];
  return { field, reads: [], ...writeUses(value, alternatives, walk), parts };
}

function makeLine(code: string, text: string, { name }: Walk): CodeLine {
  return { code, text: `((now: Api.${name}, old: Before.${name}) => { ${text} });` };
}

type Uses = Pick<ValueCode, 'uses' | 'wholeTypeUses'>;

/** Writes code that sets a value of an input. For the whole input, also assigns a value of the older type. */
function writeInput(value: ReachedValue, alternatives: readonly ts.Type[], walk: Walk): Uses {
  const { reader } = walk;
  const [uses, wholeTypeUses]: [CodeLine[], CodeLine[]] = [[], []];
  const target = value.code('!');
  const set = (sample: string): CodeLine =>
    makeLine(target && `${target} = ${sample}`, `${value.text('now')} = ${sample}`, walk);
  for (const type of value.field === '' ? [] : alternatives) {
    const text = reader.print(type);
    if (!reader.isLiteral(type) && text.length > maxType) continue;
    const sample = reader.isLiteral(type) ? text : ({ string: '"text"', number: '1' }[text] ?? `a as ${text}`);
    // The newer API may export a different type under the same name, so this line only counts as a use of one alternative.
    (reader.isExported(type) ? uses : wholeTypeUses).push(set(sample));
  }
  wholeTypeUses.push(...reader.listMissing(value.types).map(set));
  if (value.field === '')
    wholeTypeUses.push(makeLine('', `let to = ${value.text('now')}; to = ${value.text('old')};`, walk));
  return { uses, wholeTypeUses };
}

/** Writes code that compares and assigns a value of an output. For the whole output, also assigns it to the older type. */
function writeOutput(value: ReachedValue, alternatives: readonly ts.Type[], walk: Walk): Uses {
  const { reader } = walk;
  const [uses, wholeTypeUses]: [CodeLine[], CodeLine[]] = [[], []];
  const [read, now] = [value.code('?.'), value.text('now')];
  const use = (code: string): CodeLine => makeLine(read && `${read} ${code}`, `${now} ${code}`, walk);
  const isMissing = read.includes('?.') && !value.types.some(reader.mayBeMissing);
  const whole = [...new Set(value.types.map(reader.print)), ...(isMissing ? ['undefined'] : [])].join(' | ');
  if (whole.length <= maxType)
    wholeTypeUses.push(makeLine(read && `const a: ${whole} = ${read}`, `const to: ${whole} = ${now};`, walk));
  for (const type of alternatives) {
    const text = reader.print(type);
    const kind = reader.isText(type) ? 'string' : text;
    const method = { string: 'trim', number: 'toFixed' }[kind];
    if (method !== undefined) {
      const call = `${read}${value.types.some(reader.mayBeMissing) ? '?.' : '.'}${method}()`;
      const code = alternatives.length > 1 ? `if (typeof ${read} === "${kind}") ${read}.${method}()` : call;
      uses.push(makeLine(read && code, `only(${now}, a as ${kind}).${method}`, walk));
    }
    if (kind === 'string' && value.field !== '') uses.push(use('=== "other"'));
    if (reader.isLiteral(type)) uses.push(use(`=== ${text}`));
    else if (text.length <= maxType)
      (reader.isObject(type) && alternatives.length === 1 ? wholeTypeUses : uses).push(use(`as ${text}`));
  }
  // The compiler rejects an index that a tuple does not have.
  if (alternatives.some(reader.isOpenList)) uses.push(makeLine('', `list(${now})[99]`, walk));
  if (value.field === '') wholeTypeUses.push(makeLine('', `let to = ${value.text('old')}; to = ${now};`, walk));
  return { uses, wholeTypeUses };
}

/** Visits a part, and adds code that only reads it. `tagged`: further code that reads it. */
function visitPart(part: ReachedValue, tagged: readonly CodeLine[], walk: Walk): ValueCode[] {
  if (part.types.every(walk.reader.isAbsent)) return [];
  // '*' is an index signature: reading an arbitrary name isn't a useful example, so no code is shown for it.
  const read = makeLine(part.field === '*' ? '' : part.code('?.'), part.text('now'), walk);
  return [{ ...visitValue(part, walk), reads: [read, ...tagged] }];
}

/** Returns the code that a user would write for a part of a value. */
function showStep(value: ReachedValue, step: string, isPlain: boolean, { reader }: Walk): ReachedValue['code'] {
  const isOptional = value.types.some(reader.mayBeMissing);
  return (mark) => {
    const before = isPlain ? value.code(mark) : '';
    if (before === '' || !isOptional) return before && before + step;
    return before + mark + (mark === '?.' && step.startsWith('.') ? step.slice(1) : step);
  };
}

function visitMembers(value: ReachedValue, objects: readonly ts.Type[], isMixed: boolean, walk: Walk): ValueCode[] {
  const { reader, work } = walk;
  const records = objects.filter((one) => reader.listItems(one) === undefined);
  const names = new Set([...records.flatMap((one) => [...reader.listMembers(one).keys()]), '*']);
  spend(work, Math.floor((names.size * records.length) / membersPerStep));
  return [...names].flatMap((name) => {
    const read = (one: ts.Type) => (name === '*' ? reader.readOthers(one) : reader.readMember(one, name));
    const having = records.filter(read);
    const isShared = having.length === records.length;
    const [step, key] = name === '*' ? ['[name]', 'name'] : [stepTo(name), JSON.stringify(name)];
    const select = (root: 'now' | 'old'): string => (isMixed ? `object(${value.text(root)})` : `${value.text(root)}!`);
    const text = (root: 'now' | 'old') => `${isShared ? select(root) : `having(${select(root)}, ${key})`}${step}`;
    // Code may also select alternatives by a discriminant: a different member with literal values.
    const tagged = (records.length > 1 ? having : []).flatMap((one): CodeLine[] => {
      const tags = [...reader.listMembers(one)].filter(([tag, type]) => {
        const { length } = reader.isLiteral(type) && tag !== name ? reader.listAlternatives(type) : [];
        return length > 0 && length <= maxTags;
      });
      const add = (before: string, [tag, type]: [string, ts.Type]): string =>
        `tagged(${before}, ${JSON.stringify(tag)}, a as ${reader.listAlternatives(type).map(reader.print).join(' | ')})`;
      return tags.length === 0 ? [] : [makeLine('', `${tags.reduce(add, select('now'))}${step}`, walk)];
    });
    const types = having.flatMap((one) => read(one) ?? []);
    const code = showStep(value, step, isShared && !isMixed, walk);
    return visitPart({ ...value, field: joinField(value.field, name), text, code, types }, tagged, walk);
  });
}

function visitItems(value: ReachedValue, objects: readonly ts.Type[], isMixed: boolean, walk: Walk): ValueCode[] {
  const items = objects.flatMap((one) => [walk.reader.listItems(one) ?? []]);
  const count = Math.max(0, ...items.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const types = items.flatMap((all) => all[at] ?? all.at(-1) ?? []);
    const text = (root: 'now' | 'old') => `${isMixed ? `list(${value.text(root)})` : `${value.text(root)}!`}[${at}]`;
    const [field, code] = [`${value.field}[${count > 1 ? at : ''}]`, showStep(value, `[${at}]`, !isMixed, walk)];
    return visitPart({ ...value, field, text, code, types }, [], walk);
  });
}

function stepTo(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Reads facts about the types of a program. */
export type TypeReader = ReturnType<typeof createTypeReader>;

export function createTypeReader(compiler: typeof ts, program: ts.Program) {
  const checker = program.getTypeChecker();
  const texts = new Map<ts.Type, string>();
  const { Undefined, Null, Never, Object: ofObject, String: ofText, Intersection, Unit } = compiler.TypeFlags;
  const has = ({ flags }: ts.Type, wanted: ts.TypeFlags): boolean => (flags & wanted) !== 0;
  const listAll = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
  /** Returns the alternatives without null and undefined. */
  const listAlternatives = (type: ts.Type) => listAll(type).filter((one) => !has(one, Undefined | Null | Never));
  const members = new Map<ts.Type, Exports>();
  const listMembers = (type: ts.Type): Exports => {
    const read = () =>
      new Map(checker.getPropertiesOfType(type).map((one) => [one.name, checker.getTypeOfSymbol(one)]));
    const found = members.get(type) ?? read();
    members.set(type, found);
    return found;
  };
  const readOthers = (type: ts.Type) => checker.getIndexTypeOfType(type, compiler.IndexKind.String);
  const isObject = (type: ts.Type): boolean =>
    type.isIntersection() ? type.types.every(isObject) : has(type, ofObject);
  return {
    /** Returns the types that a file exports, by name. */
    readExports(path: string): Exports {
      const file = program.getSourceFile(path);
      const module = file && checker.getSymbolAtLocation(file);
      const symbols = module ? checker.getExportsOfModule(module) : [];
      return new Map(symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]));
    },
    listAlternatives,
    mayBeMissing: (type: ts.Type): boolean => listAll(type).some((one) => has(one, Undefined | Null)),
    /** Returns `undefined` and `null`, if one of the types has them. */
    listMissing(types: readonly ts.Type[]): string[] {
      const all = types.flatMap(listAll);
      const isIn = (flag: ts.TypeFlags): boolean => all.some((one) => has(one, flag));
      return [...(isIn(Undefined) ? ['undefined'] : []), ...(isIn(Null) ? ['null'] : [])];
    },
    isObject,
    isExported: (type: ts.Type): boolean => type.aliasSymbol !== undefined,
    /** True if no value is assignable to the type, not even null; `undefined` doesn't count. */
    isAbsent: (type: ts.Type): boolean => listAll(type).every((one) => has(one, Undefined | Never)),
    /** True if the type only consists of literals, so that code may compare values with them. */
    isLiteral: (type: ts.Type): boolean => listAlternatives(type).every((one) => has(one, Unit)),
    /** True for `string`, and for `string & {}`, which is printed in unions with listed values. */
    isText: (type: ts.Type): boolean =>
      has(type, ofText | Intersection) && checker.isTypeAssignableTo(type, checker.getStringType()),
    /** Returns the types of items (one for a list); undefined for a type that is not an array. */
    listItems: (type: ts.Type): readonly ts.Type[] | undefined =>
      checker.isArrayLikeType(type) ? checker.getTypeArguments(type as ts.TypeReference) : undefined,
    isOpenList: (type: ts.Type): boolean => checker.isArrayType(type),
    listMembers,
    /** Returns the type of the index signature. */
    readOthers,
    /** Returns the type of a member, or of the index signature. */
    readMember: (type: ts.Type, name: string) => listMembers(type).get(name) ?? readOthers(type),
    print(type: ts.Type): string {
      const text = texts.get(type) ?? checker.typeToString(type);
      texts.set(type, text);
      return text;
    },
  };
}
