import type ts from 'typescript';
import { spend, type Work } from '../../../specs/src/index.ts';
import type { Direction } from './change.ts';
import type { TypeReader } from './compiler.ts';
import { joinField } from './words.ts';

/** A value that code reaches through the older types, and lines of code that use it. */
export type Place = {
  readonly field: string;
  /** Lines that only read the value. */
  readonly reads: readonly Line[];
  /** Lines that need one of its alternatives. */
  readonly uses: readonly Line[];
  /** Lines that need the whole type. They also break if only a part of the value breaks. */
  readonly wholes: readonly Line[];
  readonly parts: readonly Place[];
};
/** `code`: what a user would write; empty if it is too special to be shown. `text`: the compiled function. */
export type Line = { readonly code: string; readonly text: string };

/** Declarations that `Line.text` uses. `object` and `list` select the alternatives of a type that are objects or lists. */
export const helpers = `declare let a: any, name: string;
declare function object<T>(of: T): unknown extends T ? any : T extends { [name: string]: unknown } ? T : never;
declare function list<T>(of: T): unknown extends T ? any : T extends readonly unknown[] ? T : never;`;

/** A step to a part of an object or a list, such as `.url`. `isOptional`: the value may be null or undefined. */
type Step = { readonly of: 'object' | 'list'; readonly text: string; readonly isOptional: boolean };
/** A value that code reaches in some steps. */
type Reached = {
  readonly field: string;
  readonly steps: readonly Step[];
  /** Conditions that select alternatives on the way, and whether one of them selects objects by their members. */
  readonly guards: readonly string[];
  readonly isSelected: boolean;
  /** Its type in each selected alternative. */
  readonly types: readonly ts.Type[];
  /** The types of the values that contain it. */
  readonly around: readonly ts.Type[];
};
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
): Place {
  const walk = { name, direction, reader, work, visited: new Set<ts.Type>(), count: 0 };
  return visit({ field: '', steps: [], guards: [], isSelected: false, types: [type], around: [] }, walk);
}

function visit(value: Reached, walk: Walk): Place {
  const { field, around } = value;
  const { reader, visited, work } = walk;
  spend(work);
  const objects = listAlternatives(value, walk).filter(reader.isObject);
  // Exported types have code of their own. The input and the output also lead through them, once if there are many.
  const isKnown = (one: ts.Type): boolean =>
    around.includes(one) ||
    (!isRoot(walk) && around.length > 0 && reader.isExported(one)) ||
    (walk.count > maxVisits && visited.has(one));
  const isEntered = around.length <= maxNested && !objects.every(isKnown);
  if (isEntered) {
    walk.count += 1;
    for (const one of objects) visited.add(one);
  }
  const { uses, wholes } = writeUses(value, walk);
  const parts = isEntered ? [...visitMembers(value, objects, walk), ...visitItems(value, objects, walk)] : [];
  return { field, reads: [], uses, wholes, parts };
}

function isRoot({ name }: Walk): boolean {
  return name === 'Input' || name === 'Output';
}

function listAlternatives({ types }: Reached, { reader }: Walk): ts.Type[] {
  return [...new Set(types.flatMap(reader.listAlternatives))];
}

function write(code: string, guards: readonly string[], walk: Walk): Line {
  const guarded = guards.length === 0 ? code : `if (${guards.join(' && ')}) { ${code} }`;
  return { code: guards.length === 0 ? code : '', text: `((${nameVariable(walk)}: ${walk.name}) => { ${guarded} });` };
}

function nameVariable(walk: Walk): string {
  return isRoot(walk) ? walk.direction : 'value';
}

/** Prints an expression for the value. `mark`: how it passes values that may be null or undefined. */
function print({ steps, guards }: Reached, walk: Walk, mark = guards.length > 0 ? '!' : '?.'): string {
  const add = (before: string, { text, isOptional }: Step): string =>
    before + (isOptional ? mark + (mark === '?.' && text.startsWith('.') ? text.slice(1) : text) : text);
  return steps.reduce(add, nameVariable(walk));
}

/** Writes code that uses the value by its type: outputs are compared and assigned, inputs are set. */
function writeUses(value: Reached, walk: Walk): Pick<Place, 'uses' | 'wholes'> {
  const { field, guards, types } = value;
  const { direction, reader } = walk;
  const [uses, wholes]: [Line[], Line[]] = [[], []];
  const alternatives = listAlternatives(value, walk);
  const named = alternatives.map((type) => ({ type, text: reader.print(type) }));
  const shown = named.filter(({ type, text }) => reader.isLiteral(type) || text.length <= maxType);
  if (direction === 'input') {
    const target = print(value, walk, '!');
    // Another member on the way may be null or undefined now: that is a change of its own.
    const sure = value.steps.reduce((before, { text }) => `${before}!${text}`, nameVariable(walk));
    const set = (sample: string): Line => {
      const { code } = write(`${target} = ${sample}`, guards, walk);
      return { code, text: write(`${sure} = ${sample}`, guards, walk).text };
    };
    for (const { type, text } of field === '' ? [] : shown) {
      const sample = reader.isLiteral(type) ? text : ({ string: '"text"', number: '1' }[text] ?? `a as ${text}`);
      // An exported name may stand for another type now.
      (reader.isExported(type) ? uses : wholes).push(set(sample));
    }
    wholes.push(...reader.listMissing(types).map(set));
    return { uses, wholes };
  }
  const read = print(value, walk);
  for (const { type, text } of shown) {
    const isOnlyObject = reader.isObject(type) && alternatives.length === 1;
    const code = reader.isLiteral(type) ? `${read} === ${text}` : `${read} as ${text}`;
    (isOnlyObject ? wholes : uses).push(write(code, guards, walk));
    if (reader.isText(type) && field !== '') uses.push(write(`${read} === "other"`, guards, walk));
  }
  // The compiler rejects an index that a tuple does not have.
  if (alternatives.some(reader.isOpenList)) {
    const last = takeStep(value, 'list', '[99]', walk);
    uses.push({ ...write(print(last, walk), guards, walk), code: '' });
  }
  const isMissing =
    guards.length === 0 && !types.some(reader.mayBeMissing) && value.steps.some((one) => one.isOptional);
  const whole = [...new Set(types.map(reader.print)), ...(isMissing ? ['undefined'] : [])].join(' | ');
  if (whole.length <= maxType) wholes.push(write(`const a: ${whole} = ${read}`, guards, walk));
  return { uses, wholes };
}

/** Returns a part of the value, at first with the field, conditions and types of the value. */
function takeStep(value: Reached, of: Step['of'], text: string, { reader }: Walk): Reached {
  return { ...value, steps: [...value.steps, { of, text, isOptional: value.types.some(reader.mayBeMissing) }] };
}

/** Visits a part, and adds code that only reads it. `tagged`: further code that reads it. */
function enter(part: Reached, tagged: readonly Line[], walk: Walk): Place[] {
  const { steps, guards, isSelected, types } = part;
  if (types.every(walk.reader.isAbsent)) return [];
  const written = write(print(part, walk), guards, walk);
  // A read of any name is not a useful example.
  const line = part.field === '*' ? { ...written, code: '' } : written;
  // Code seldom reads inputs, so a read of an input only breaks if its objects lack the member.
  const wrap = (before: string, { of, text }: Step): string => `${of}(${before})${text}`;
  const ofInput = { ...line, text: write(steps.reduce(wrap, nameVariable(walk)), [], walk).text };
  const read = walk.direction === 'output' ? [line] : isSelected ? [] : [ofInput];
  return [{ ...visit(part, walk), reads: [...read, ...tagged] }];
}

/** Returns conditions that exclude alternatives of the value that are not objects. */
function selectObjects(value: Reached, objects: readonly ts.Type[], walk: Walk): string[] {
  const sure = print(value, walk, '!');
  const isMixed = objects.length < listAlternatives(value, walk).length;
  return isMixed ? [`typeof ${sure} === "object"`, `${sure} !== null`] : [];
}

function visitMembers(value: Reached, objects: readonly ts.Type[], walk: Walk): Place[] {
  const { reader, direction, work } = walk;
  const records = objects.filter((one) => reader.listItems(one) === undefined);
  const ofObjects = selectObjects(value, objects, walk);
  const around = [...value.around, ...listAlternatives(value, walk)];
  const sure = print(value, walk, '!');
  const names = new Set([...records.flatMap((one) => [...reader.listMembers(one).keys()]), '*']);
  spend(work, Math.floor((names.size * records.length) / membersPerStep));
  return [...names].flatMap((name) => {
    const read = (one: ts.Type) => (name === '*' ? reader.readOthers(one) : reader.readMember(one, name));
    const having = records.filter(read);
    const isShared = having.length === records.length;
    const selecting = isShared ? [] : selectHaving(name, having, records, sure, reader);
    if (selecting === undefined) return [];
    const next = takeStep(value, 'object', name === '*' ? '[name]' : stepTo(name), walk);
    const guards = [...value.guards, ...ofObjects];
    // Code may also select an alternative by its constants.
    const isTagged = records.length > 1 && direction === 'output';
    const tagged = (isTagged ? having : []).flatMap((one): Line[] => {
      const tags = listTags(one, name, sure, reader);
      return tags.length === 0 ? [] : [write(print(next, walk, '!'), [...guards, ...tags], walk)];
    });
    const part = { field: joinField(value.field, name), types: having.flatMap((one) => read(one) ?? []), around };
    const isSelected = value.isSelected || !isShared;
    return enter({ ...next, ...part, guards: [...guards, ...selecting], isSelected }, tagged, walk);
  });
}

/** Returns conditions on the members of an object that only have a few values. */
function listTags(type: ts.Type, except: string, value: string, reader: TypeReader): string[] {
  return [...reader.listMembers(type)].flatMap(([tag, member]) => {
    const values = reader.isLiteral(member) && tag !== except ? reader.listAlternatives(member) : [];
    const tests = values.map((one) => `${value}${stepTo(tag)} === ${reader.print(one)}`);
    return tests.length > 0 && tests.length <= maxTags ? [`(${tests.join(' || ')})`] : [];
  });
}

function visitItems(value: Reached, objects: readonly ts.Type[], walk: Walk): Place[] {
  const items = objects.flatMap((one) => [walk.reader.listItems(one) ?? []]);
  const count = Math.max(0, ...items.map(({ length }) => length));
  const guards = [...value.guards, ...selectObjects(value, objects, walk)];
  const around = [...value.around, ...listAlternatives(value, walk)];
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const types = items.flatMap((all) => all[at] ?? all.at(-1) ?? []);
    const field = `${value.field}[${count > 1 ? at : ''}]`;
    return enter({ ...takeStep(value, 'list', `[${at}]`, walk), field, guards, types, around }, [], walk);
  });
}

/**
 * Returns a condition for the alternatives that have a member, or an index signature (`*`); undefined if there is none
 * that the compiler understands.
 */
function selectHaving(
  name: string,
  having: readonly ts.Type[],
  records: readonly ts.Type[],
  value: string,
  { listMembers, isAbsent }: TypeReader,
): string[] | undefined {
  if (name !== '*') return [`${JSON.stringify(name)} in ${value}`];
  const others = records.filter((one) => !having.includes(one));
  const lacks = (one: ts.Type, member: string): boolean =>
    [...listMembers(one)].every(([own, type]) => own !== member || isAbsent(type));
  const mark = having
    .flatMap((one) => [...listMembers(one).keys()])
    .find((member) => others.every((one) => lacks(one, member)));
  if (mark === undefined) return undefined;
  const isDeclared = records.every((one) => listMembers(one).has(mark));
  return [isDeclared ? `${value}${stepTo(mark)} !== undefined` : `${JSON.stringify(mark)} in ${value}`];
}

function stepTo(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
