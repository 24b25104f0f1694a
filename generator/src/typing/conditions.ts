import type { CanonicalSchema } from '../../../specs/src/index.ts';
import { intersect } from './intersect.ts';
import { type Kind, kindOf } from './json-kinds.ts';
import { loosen } from './limits.ts';
import type { Merging } from './merging.ts';
import { objectWith } from './object-shape.ts';
import { subtract } from './subtract.ts';
import { choiceOf, membersOf, type TypeModel, unknownType } from './type-model.ts';

type Source = {
  schema: CanonicalSchema;
  base: TypeModel;
  convert: (schema: CanonicalSchema) => TypeModel;
  merging: Merging;
};

/** What is left of the base when the schema under `not` is taken away. */
export function readNot({ schema, base, convert, merging }: Source): TypeModel | undefined {
  return schema.not === undefined ? undefined : takeAway(base, convert(schema.not), merging);
}

export function readConditional({ schema, base, convert, merging }: Source): TypeModel | undefined {
  const { conditional } = schema;
  if (conditional === undefined) return undefined;
  const test = convert(conditional.test);
  const met = intersect(base, test, merging);
  const unmet = takeAway(base, test, merging);
  const outcome = (part: TypeModel, then: CanonicalSchema | undefined): TypeModel =>
    then === undefined ? part : intersect(part, convert(then), merging);
  const yes = outcome(met, conditional.yes);
  const no = outcome(unmet, conditional.no);
  if (yes === met && no === unmet) return undefined;
  return inMeasure(choiceOf([yes, no]), base, merging);
}

const alternativesAtMost = 100;

// Each question may double the alternatives.
function inMeasure(type: TypeModel, base: TypeModel, merging: Merging): TypeModel {
  return membersOf(type).length <= alternativesAtMost ? type : loosen(base, everyKindOfValue, merging);
}

const everyKindOfValue: ReadonlySet<Kind> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);

/** A member that is there asks for others, or for a shape of the whole. */
export function readDependents({ schema, base, convert, merging }: Source): TypeModel | undefined {
  const { dependentRequired, dependentSchemas } = schema;
  if (dependentRequired === undefined && dependentSchemas === undefined) return undefined;
  let type = base;
  for (const [name, others] of dependentRequired ?? []) {
    const asked = others.filter((other) => other !== name);
    if (asked.length === 0) continue;
    const fields = asked.map((other) => ({ name: other, required: true, type: unknownType }));
    type = depend(type, name, { shape: objectWith(fields), merging });
  }
  for (const [name, part] of dependentSchemas ?? []) type = depend(type, name, { shape: convert(part), merging });
  return type;
}

function depend(base: TypeModel, name: string, { shape, merging }: { shape: TypeModel; merging: Merging }): TypeModel {
  const present = objectWith([{ name, required: true, type: unknownType }]);
  const absent = takeAway(base, present, merging);
  const met = intersect(intersect(base, present, merging), shape, merging);
  if (absent === base) return base;
  return inMeasure(choiceOf([absent, met]), base, merging);
}

function takeAway(base: TypeModel, minus: TypeModel, merging: Merging): TypeModel {
  const before = merging.typesAll;
  merging.typesAll = true;
  const { rest, exact } = subtract(base, minus, merging);
  merging.typesAll = before;
  return exact ? rest : loosen(rest, kindsIn(minus, merging), merging);
}

function kindsIn(type: TypeModel, merging: Merging, followed: readonly TypeModel[] = []): ReadonlySet<Kind> {
  const kinds = membersOf(type).flatMap((member): Kind[] => {
    const kind = kindOf(member);
    if (kind !== undefined) return [kind];
    if (member.kind === 'all') return ['object'];
    const expanded = member.kind === 'reference' ? merging.expand(member.name) : undefined;
    if (expanded === undefined || followed.includes(expanded)) return [];
    return [...kindsIn(expanded, merging, [...followed, expanded])];
  });
  return new Set(kinds);
}
