import type { ObjectType, TypeModel } from '../typing/type-model.ts';
import { membersOf } from '../typing/unions.ts';

const ofObjects = new Set([
  ...['constructor', 'toString', 'toLocaleString', 'valueOf'],
  ...['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
]);
/** Of strings and arrays, beside `length`: all of them functions. */
const ofLists = new Set(
  `at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes
  indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toReversed toSorted
  toSpliced unshift values with anchor big blink bold charAt charCodeAt codePointAt endsWith fixed fontcolor fontsize
  italics link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search small split
  startsWith strike sub substr substring sup toLowerCase toUpperCase trim trimEnd trimLeft trimRight trimStart
  isWellFormed toWellFormed toLocaleLowerCase toLocaleUpperCase`.split(/\s+/),
);

/** Whether TypeScript takes every object to have such a member. */
export function isInherited(name: string): boolean {
  return ofObjects.has(name);
}

/**
 * Whether TypeScript would take a string or an array for such an object: they have a `length`, and members that an undescribed
 * one of the same name does not exclude.
 */
export function mayBeMistaken({ fields }: ObjectType): boolean {
  const all = [...fields.values()];
  const fits = ({ name, type }: { name: string; type: TypeModel }): boolean =>
    name === 'length' ? membersOf(type).some(isNumeric) : ofLists.has(name) && type.kind === 'unknown';
  return all.some(fits) && all.every((field) => !field.required || fits(field));
}

function isNumeric(type: TypeModel): boolean {
  return type.kind === 'unknown' || (type.kind === 'scalar' && (type.scalar === 'number' || type.scalar === 'integer'));
}
