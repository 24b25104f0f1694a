import { classify, type SchemaChange } from './schema-change.ts';
import type { Break } from './type-check.ts';

/** The changes with what breaks code: it is said where a change explains it, and a change of its own where none does. */
export function explainBreaks(found: readonly SchemaChange[], breaks: readonly Break[]): SchemaChange[] {
  const changes = [...found];
  for (const one of breaks) {
    const { direction, field, code } = one;
    const index = findCause(changes, one);
    const cause = changes[index];
    if (cause === undefined) changes.push(classify('code-broken', direction, { pointer: '', field, code }));
    else changes[index] = { ...cause, verdict: 'breaking', code: cause.code ?? code };
  }
  return changes;
}

/** The change that a break comes from: of the same member, of one around or inside it, or of one of the same name elsewhere. */
function findCause(changes: readonly SchemaChange[], { direction, field, name }: Break): number {
  const isAround = (outer: string, inner: string): boolean =>
    inner.startsWith(outer) && (outer === '' || /^[.[]/.test(inner.slice(outer.length)));
  const lastStep = (path: string): string => path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1);
  const dropStep = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
  const isOwn = ({ pointer }: SchemaChange): boolean => name !== undefined && pointer.startsWith(`/$defs/${name}`);
  const relations: readonly ((change: SchemaChange) => boolean)[] = [
    (change) => change.field === field && (name === undefined || isOwn(change)),
    (change) => change.field !== undefined && change.field !== '' && isAround(field, change.field) && field !== '',
    (change) => change.field !== undefined && isAround(change.field, field) && describesInside.test(change.rule),
    // A member of its own takes its name out of those that have a common type.
    (change) => field.endsWith('*') && dropStep(change.field ?? '') === dropStep(field),
    isOwn,
    (change) => lastStep(change.field ?? '') === lastStep(field) && field !== '',
  ];
  for (const isRelated of relations) {
    const related = [...changes.keys()].filter((index) => {
      const change = changes[index];
      return (
        change?.direction === direction &&
        change.field !== undefined &&
        change.verdict !== 'cosmetic' &&
        isRelated(change)
      );
    });
    const broken = related.find((index) => changes[index]?.verdict === 'breaking');
    const [first] = related;
    if (first !== undefined) return broken ?? first;
  }
  return -1;
}

/** Rules of changes that replace all that is inside. */
const describesInside = /^(?:union|type|schema|object|names|property-(?:removed|unlisted)|null)/;
