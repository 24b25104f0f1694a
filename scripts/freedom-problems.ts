import type { Freedom, Requirement } from '../specs/src/index.ts';

type Known = { readonly requirements: readonly Requirement[]; readonly variants: readonly string[] };

/** Freedoms without a source or a variant, variants without a freedom, and requirements of a server in neither kind of row. */
export function findFreedomProblems(rows: readonly Freedom[], { requirements, variants }: Known): readonly string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const used = new Set(rows.flatMap((row) => row.variants ?? []));
  const free = rows.filter(({ why }) => why === undefined);
  const listed = new Map(rows.flatMap((row) => row.requirements.split(/\s+/).map((id) => [id, row] as const)));
  const bound = requirements.filter(({ parties }) => parties.includes('server'));
  const registered = new Set(requirements.map(({ id }) => id));
  return [
    ...(ids.size === rows.length ? [] : ['two freedoms have the same id']),
    ...free
      .filter(({ text, reading }) => (text === undefined) === (reading === undefined))
      .map(({ id }) => `the freedom ${id} needs either the words of the API or the id of a reading`),
    ...free.filter((row) => (row.variants ?? []).length === 0).map(({ id }) => `no variant uses the freedom ${id}`),
    ...[...used].filter((id) => !variants.includes(id)).map((id) => `a freedom names ${id}, which is no variant`),
    ...variants.filter((id) => !used.has(id)).map((id) => `the variant ${id} belongs to no freedom`),
    ...[...listed.keys()]
      .filter((id) => !registered.has(id))
      .map((id) => `a freedom cites ${id}, which is not in the register`),
    ...bound
      .filter(({ id }) => !listed.has(id))
      .map(({ id }) => `${id} has no freedom, and specs/freedoms.yaml does not say why`),
    ...rows
      .filter(({ why }) => why !== undefined)
      .flatMap(({ requirements: ids }) => ids.split(/\s+/))
      .filter((id) => free.some((row) => row.requirements.split(/\s+/).includes(id)))
      .map((id) => `${id} has a freedom, and a reason why it has none`),
  ];
}
