import type ts from 'typescript';
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

/** Helpers that the lines use. They select the alternatives of a type that are objects or lists. */
export const helpers = `declare let a: any, name: string;
declare function object<T>(of: T): unknown extends T ? any : T extends { [name: string]: unknown } ? T : never;
declare function list<T>(of: T): unknown extends T ? any : T extends readonly unknown[] ? T : never;`;

/** A step to a part of a value, such as `.url`. `isOptional`: the value may be null or undefined. */
type Step = { readonly text: string; readonly isOptional: boolean };
/** How code reaches a value. `guards`: conditions that select alternatives on the way. */
type Access = { readonly steps: readonly Step[]; readonly guards: readonly string[] };
type Walk = {
  readonly name: string;
  readonly direction: Direction;
  readonly types: TypeReader;
  readonly visited: Set<ts.Type>;
  /** Number of visited values. */
  count: number;
};

const maxVisits = 1_000;
const maxNested = 30;
const maxType = 90;
const maxTags = 4;

/** Writes code for the older types that uses a value of the exported type `name`, and each of its parts. */
export function writeOlderCode(name: string, type: ts.Type, direction: Direction, types: TypeReader): Place {
  const walk = { name, direction, types, visited: new Set<ts.Type>(), count: 0 };
  return visit('', [type], { steps: [], guards: [] }, [], walk);
}

/** `around`: the types of the values that contain this one. */
function visit(field: string, all: readonly ts.Type[], access: Access, around: readonly ts.Type[], walk: Walk): Place {
  const { direction, types, name: exported } = walk;
  const isRoot = exported === 'Input' || exported === 'Output';
  const variable = isRoot ? direction : 'value';
  const write = (code: string, guards = access.guards): Line => {
    const guarded = guards.length === 0 ? code : `if (${guards.join(' && ')}) { ${code} }`;
    return { code: guards.length === 0 ? code : '', text: `((${variable}: ${exported}) => { ${guarded} });` };
  };
  // Code seldom reads inputs, so a read only breaks if the objects of the input lack the member.
  const readInput = ({ steps }: Access): Line => {
    const wrap = (before: string, { text }: Step): string =>
      `${/^\[\d/.test(text) ? 'list' : 'object'}(${before})${text}`;
    return {
      ...write(print({ steps, guards: [] }), []),
      text: `((${variable}: ${exported}) => { ${steps.reduce(wrap, variable)} });`,
    };
  };
  const print = ({ steps, guards }: Access, mark = guards.length > 0 ? '!' : '?.'): string =>
    steps.reduce((before, { text, isOptional }) => {
      return before + (isOptional ? mark + (mark === '?.' && text.startsWith('.') ? text.slice(1) : text) : text);
    }, variable);
  const [value, sure] = [print(access), print(access, '!')];
  const alternatives = [...new Set(all.flatMap(types.listAlternatives))];
  const isOptional = all.some(types.mayBeMissing);
  const [uses, wholes]: [Line[], Line[]] = [[], []];
  for (const one of alternatives) {
    const text = types.print(one);
    const isShort = text.length <= maxType;
    if (direction === 'input') {
      const sample = types.isLiteral(one) ? text : ({ string: '"text"', number: '1' }[text] ?? `a as ${text}`);
      // The exported name may stand for another type now.
      const list = types.isExported(one) ? uses : wholes;
      if (isShort && field !== '') list.push(write(`${sure} = ${sample}`));
    } else if (types.isLiteral(one)) uses.push(write(`${value} === ${text}`));
    else if (isShort)
      (types.isObject(one) && alternatives.length === 1 ? wholes : uses).push(write(`${value} as ${text}`));
    if (direction === 'output' && types.isText(one) && field !== '') uses.push(write(`${value} === "other"`));
  }
  if (direction === 'input') wholes.push(...types.listMissing(all).map((text) => write(`${sure} = ${text}`)));
  const isMissing = access.guards.length === 0 && !isOptional && access.steps.some((step) => step.isOptional);
  const whole = [...new Set(all.map(types.print)), ...(isMissing ? ['undefined'] : [])].join(' | ');
  if (direction === 'output' && whole.length <= maxType) wholes.push(write(`const a: ${whole} = ${value}`));

  const parts: Place[] = [];
  const enter = (
    place: string,
    part: readonly ts.Type[],
    text: string,
    guards: string[],
    tagged: Line[] = [],
  ): void => {
    if (part.every(types.isAbsent)) return;
    const next = { steps: [...access.steps, { text, isOptional }], guards: [...access.guards, ...guards] };
    const found = visit(place, part, next, [...around, ...alternatives], walk);
    const line = direction === 'output' ? write(print(next), next.guards) : readInput(next);
    const read = place === '*' ? { ...line, code: '' } : line;
    const isRead = direction === 'output' || next.guards.every((guard) => !guard.includes(' in '));
    parts.push({ ...found, reads: [...(isRead ? [read] : []), ...tagged] });
  };
  const objects = alternatives.filter(types.isObject);
  // Exported types have code of their own. The input and the output also lead through them, once if there are many.
  const isKnown = (one: ts.Type): boolean =>
    around.includes(one) ||
    (!isRoot && around.length > 0 && types.isExported(one)) ||
    (walk.count > maxVisits && walk.visited.has(one));
  if (around.length > maxNested || objects.every(isKnown)) return { field, reads: [], uses, wholes, parts };
  walk.count += 1;
  for (const one of objects) walk.visited.add(one);
  const isMixed = objects.length < alternatives.length;
  const ofObjects = isMixed ? [`typeof ${sure} === "object"`, `${sure} !== null`] : [];
  const lists = objects.filter((one) => types.listItems(one) !== undefined);
  const records = objects.filter((one) => !lists.includes(one));
  for (const name of new Set([...records.flatMap((one) => [...types.listMembers(one).keys()]), '*'])) {
    const read = (one: ts.Type) => (name === '*' ? types.readOthers(one) : types.readMember(one, name));
    const having = records.filter(read);
    const step = name === '*' ? '[name]' : stepTo(name);
    const isShared = having.length === records.length;
    const selecting = isShared ? [] : selectHaving(name, having, records, sure, types);
    if (selecting === undefined) continue;
    const guards = [...ofObjects, ...selecting];
    // Code may also select an alternative by its constants.
    const tagged = having.flatMap((one): Line[] => {
      const tags = [...types.listMembers(one)].flatMap(([tag, type]) => {
        const values = types.isLiteral(type) && tag !== name ? types.listAlternatives(type) : [];
        const isTag = values.length > 0 && values.length <= maxTags;
        return isTag ? values.map((value) => `${sure}${stepTo(tag)} === ${types.print(value)}`).join(' || ') : [];
      });
      const conditions = [...access.guards, ...ofObjects, ...tags.map((tag) => `(${tag})`)];
      return tags.length > 0 && records.length > 1 && (direction === 'output' || !isMixed)
        ? [write(`${sure}${isOptional ? '!' : ''}${step}`, conditions)]
        : [];
    });
    enter(
      joinField(field, name),
      having.flatMap((one) => read(one) ?? []),
      step,
      guards,
      tagged,
    );
  }
  const items = lists.map((one) => types.listItems(one) ?? []);
  const count = Math.max(0, ...items.map(({ length }) => length));
  for (let at = 0; at < count; at++) {
    const part = items.flatMap((all) => all[at] ?? all.at(-1) ?? []);
    enter(`${field}[${count > 1 ? at : ''}]`, part, `[${at}]`, ofObjects);
  }
  // The compiler rejects an index that a tuple does not have.
  const last = { steps: [...access.steps, { text: '[99]', isOptional }], guards: access.guards };
  if (direction === 'output' && lists.some(types.isOpenList)) uses.push({ ...write(print(last)), code: '' });
  return { field, reads: [], uses, wholes, parts };
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
