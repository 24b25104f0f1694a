import {
  type Check,
  isCollecting,
  type Pass,
  refuse,
  spend,
  traceSteps,
  type ValidationFailure,
  type ValuePath,
} from './check.ts';
import type { JsonSchema, SchemaObject, SchemasByName } from './schema.ts';

/** One alternative of a union. */
export type Branch = {
  readonly schema: JsonSchema;
  readonly check: Check;
  /** A few words for messages. */
  readonly describe: () => string;
};

type Failed = Branch & { readonly failures: readonly ValidationFailure[] };

/** Steps per branch: describing a failure takes as long as many checks. */
const stepsToExplain = 50;

/** Unions that are nested more deeply in each other are not explained: the work would multiply at every level. */
const explainedAtMost = 4;

/** Reports the failures of the branch that was probably meant, or else one failure of the union with all its alternatives. */
export function explain(branches: readonly Branch[], value: unknown, path: ValuePath, pass: Pass): false {
  const { call, failures: all } = pass;
  if (!isCollecting(all)) return false;
  spend(call, stepsToExplain * branches.length);
  if (call.explaining < explainedAtMost) {
    call.explaining += 1;
    const failed = branches.map((branch): Failed => {
      const failures: ValidationFailure[] = [];
      branch.check(value, path, { ...pass, failures });
      return { ...branch, failures };
    });
    call.explaining -= 1;
    const others = failed.filter(({ schema }) => typeof schema !== 'object' || schema.type !== 'null');
    const [meant, ...more] = others.length === 1 ? others : likely(others, traceSteps(path).length);
    if (meant !== undefined && more.length === 0 && meant.failures.length > 0) {
      for (const failure of meant.failures) if (isCollecting(all)) all.push(failure);
      return false;
    }
  }
  const alternatives = branches.slice(0, alternativesAtMost).map(({ describe }) => describe());
  const rest = branches.length > alternatives.length ? `, and ${branches.length - alternatives.length} more` : '';
  const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
  return refuse(pass, path, { type: 'union_mismatch', msg, ctx: { alternatives } });
}

const alternativesAtMost = 8;

// A branch whose type or discriminating literal does not fit was not meant.
function likely(branches: readonly Failed[], depth: number): readonly Failed[] {
  const ofKind = branches.filter(({ failures }) => failures.every(({ loc }) => loc.length > depth));
  if (ofKind.length < 2) return ofKind;
  const isDiscriminator = ({ loc, type }: ValidationFailure): boolean =>
    loc.length === depth + 1 && type === 'literal_error';
  return ofKind.filter(({ failures }) => !failures.some(isDiscriminator));
}

const longestDescription = 80;

/** Describes a schema in a few words, when they are needed: its title, its values, its discriminator, or its type. */
export function createDescription(schema: JsonSchema, definitions: SchemasByName): () => string {
  let words: string | undefined;
  return () => {
    words ??= describe(schema, definitions);
    return words.length > longestDescription ? `${words.slice(0, longestDescription)}…` : words;
  };
}

function describe(schema: JsonSchema, definitions: SchemasByName): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  const { title, $ref, enum: values, type, properties, required, allOf }: SchemaObject = schema;
  if (title !== undefined) return title;
  const target = $ref === undefined ? undefined : definitions[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (target !== undefined) return describe(target, {}); // definitions may refer to each other in circles
  if (values !== undefined)
    return values
      .slice(0, alternativesAtMost)
      .map((value) => JSON.stringify(value))
      .join(' | ');
  const fixed = Object.entries(properties ?? {}).flatMap(([name, member]) =>
    typeof member === 'object' && member.enum?.length === 1 ? [`${name}: ${JSON.stringify(member.enum[0])}`] : [],
  );
  if (fixed.length > 0) return `{ ${fixed.slice(0, alternativesAtMost).join(', ')} }`;
  if (required !== undefined) return `object with ${required.slice(0, alternativesAtMost).join(', ')}`;
  if (type !== undefined) return typeof type === 'string' ? type : type.join(' | ');
  const [part] = allOf ?? [];
  return part === undefined ? 'another schema' : describe(part, definitions);
}
