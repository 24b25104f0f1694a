import type { CanonicalSchema } from '../../../specs/src/index.ts';
import type { Docs } from './type-model.ts';

/** What a schema says to people; bounds included, since no type says them. */
export function docsOf(schema: CanonicalSchema): Docs {
  const limits = schema.limits ?? limitsOfNullable(schema);
  return {
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(schema.examples === undefined ? {} : { examples: schema.examples }),
    ...(schema.deprecated === undefined ? {} : { deprecated: schema.deprecated }),
    ...(limits === undefined ? {} : { limits }),
  };
}

// `anyOf` of one schema and null is how most documents say "may be null"; its bounds belong to the place.
function limitsOfNullable(schema: CanonicalSchema): CanonicalSchema['limits'] {
  const branches = schema.anyOf?.filter((branch) => branch.type?.length !== 1 || branch.type[0] !== 'null');
  return branches?.length === 1 ? branches[0]?.limits : undefined;
}
