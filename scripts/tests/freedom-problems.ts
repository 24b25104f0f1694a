import type { Freedom, Requirement } from '../../specs/src/index.ts';

type Known = {
  readonly requirements: readonly Requirement[];
  readonly assumptions: readonly string[];
  readonly variants: readonly string[];
};

/** Finds freedoms without a source or variant, unused variants, and server requirements with neither a freedom nor a reason. */
export function findFreedomProblems(rows: readonly Freedom[], known: Known): readonly string[] {
  const free = rows.filter(({ why }) => why === undefined);
  const strict = rows.filter(({ why }) => why !== undefined);
  const used = free.flatMap(({ variants = [] }) => variants);
  const inFreedoms = new Set(free.flatMap(listRequirements));
  const inReasons = strict.flatMap(listRequirements);
  const listed = new Set([...inFreedoms, ...inReasons]);
  const servers = known.requirements.filter(({ parties }) => parties.includes('server'));
  const ids = new Set(known.requirements.map(({ id }) => id));
  return [
    ...(new Set(rows.map(({ id }) => id)).size < rows.length ? ['two freedoms have the same id'] : []),
    ...free
      .filter(({ text = '', reading = '' }) => (text === '') === !known.assumptions.includes(reading))
      .map(
        ({ id, reading }) =>
          `${id} needs either a quotation of the API text or a known reading, got ${reading ?? 'neither'}`,
      ),
    ...free.filter(({ variants = [] }) => variants.length === 0).map(({ id }) => `no variant uses the freedom ${id}`),
    ...used.filter((id) => !known.variants.includes(id)).map((id) => `a freedom lists ${id}, which is not a variant`),
    ...known.variants.filter((id) => !used.includes(id)).map((id) => `the variant ${id} belongs to no freedom`),
    ...[...listed].filter((id) => !ids.has(id)).map((id) => `a freedom cites ${id}, which is not in the register`),
    ...servers
      .filter(({ id }) => !listed.has(id))
      .map(({ id }) => `${id} has neither a freedom nor a reason why it has none`),
    ...inReasons
      .filter((id) => inFreedoms.has(id))
      .map((id) => `${id} has both a freedom and a reason why it has none`),
  ];
}

function listRequirements({ requirements }: Freedom): string[] {
  return requirements.split(/\s+/);
}
