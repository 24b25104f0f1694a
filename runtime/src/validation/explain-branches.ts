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
export type Branch = { readonly schema: JsonSchema; readonly check: Check };

/** Steps per branch: describing a failure takes as long as many checks. */
const stepsToExplain = 50;
/** Maximum nesting of explained unions, because the work multiplies at every level. */
const maxExplainedDepth = 4;
const maxAlternatives = 8;
const maxDescriptionLength = 80;

/**
 * Reports the failures of the branch that was probably intended, or else one failure of the union with all
 * alternatives.
 */
export function explain(
  branches: readonly Branch[],
  definitions: SchemasByName,
  value: unknown,
  path: ValuePath,
  pass: Pass,
): false {
  const { call, failures: all } = pass;
  if (!isCollecting(all)) return false;
  spend(call, stepsToExplain * branches.length);
  if (call.explaining < maxExplainedDepth) {
    call.explaining += 1;
    const others = branches.filter(({ schema }) => typeof schema !== 'object' || schema.type !== 'null');
    let failed = others.map(({ check }) => {
      const failures: ValidationFailure[] = [];
      check(value, path, { ...pass, failures });
      return failures;
    });
    call.explaining -= 1;
    const depth = traceSteps(path).length;
    // A branch whose type or discriminating literal doesn't match was not intended.
    if (failed.length > 1) failed = failed.filter((failures) => failures.every(({ loc }) => loc.length > depth));
    if (failed.length > 1)
      failed = failed.filter((failures) =>
        failures.every(({ loc, type }) => loc.length !== depth + 1 || type !== 'literal_error'),
      );
    const [meant = [], ...more] = failed;
    if (meant.length > 0 && more.length === 0) {
      for (const failure of meant) if (isCollecting(all)) all.push(failure);
      return false;
    }
  }
  const alternatives = branches.slice(0, maxAlternatives).map(({ schema }) => {
    const words = describe(schema, definitions);
    return words.length > maxDescriptionLength ? `${words.slice(0, maxDescriptionLength)}…` : words;
  });
  const rest = branches.length > alternatives.length ? `, and ${branches.length - alternatives.length} more` : '';
  const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
  return refuse(pass, path, { type: 'union_mismatch', msg, ctx: { alternatives } });
}

/** Describes a schema in a few words: its title, its values, its discriminator, or its type. */
function describe(schema: JsonSchema, definitions: SchemasByName): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  const { title, $ref, enum: values, type, properties, required, allOf }: SchemaObject = schema;
  if (title !== undefined) return title;
  const target = $ref === undefined ? undefined : definitions[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (target !== undefined) return describe(target, {}); // Definitions may refer to each other in circles.
  if (values !== undefined)
    return values
      .slice(0, maxAlternatives)
      .map((value) => JSON.stringify(value))
      .join(' | ');
  const fixed = Object.entries(properties ?? {}).flatMap(([name, member]) =>
    typeof member === 'object' && member.enum?.length === 1 ? [`${name}: ${JSON.stringify(member.enum[0])}`] : [],
  );
  if (fixed.length > 0) return `{ ${fixed.slice(0, maxAlternatives).join(', ')} }`;
  if (required !== undefined) return `object with ${required.slice(0, maxAlternatives).join(', ')}`;
  if (type !== undefined) return typeof type === 'string' ? type : type.join(' | ');
  const [part] = allOf ?? [];
  return part === undefined ? 'another schema' : describe(part, definitions);
}
