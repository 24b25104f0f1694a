import { classify, readVerdict, type SchemaChange } from './schema-change.ts';
import type { Break } from './type-check.ts';

/** The changes with what breaks code: it is said where a change explains it, and a change of its own where none does. */
export function explainBreaks(found: readonly SchemaChange[], breaks: readonly Break[]): SchemaChange[] {
  const changes = [...found];
  const explained = new Set<string>();
  for (const one of breaks) {
    const { direction, field, name, code } = one;
    const member = `${direction} ${readLastStep(field)}`;
    if (code === undefined) {
      changes.push(classify('schema-uncompared', direction, { pointer: '', field: '' }));
      continue;
    }
    const [cause] = [...changes.entries()]
      .map(([index, change]) => ({ index, change, distance: measureDistance(change, one) }))
      .filter(({ distance }) => distance >= 0)
      .sort((left, right) => left.distance - right.distance || rateVerdict(right.change) - rateVerdict(left.change));
    if (cause !== undefined) {
      const breaks = [...new Set([...cause.change.breaks, 'code' as const])];
      changes[cause.index] = { ...cause.change, verdict: 'breaking', breaks, code: cause.change.code ?? code };
      explained.add(member);
    }
    // A name that leads to a member breaks with it.
    else if (name === undefined || !explained.has(member))
      changes.push(classify('code-broken', direction, { pointer: '', field, code }));
  }
  return changes;
}

/** Of equally near changes, one that takes something from code comes before one that breaks by its values. */
function rateVerdict({ rule, direction, verdict }: SchemaChange): number {
  const ofCode = readVerdict(rule, direction, { isNarrower: false, isWider: false, isCompiled: false });
  return ofCode === 'breaking' ? 2 : Number(verdict === 'breaking');
}

function readLastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1);
}

/** How far from a break a change is that may be its cause: of the same member, inside or around it, or of the same name. */
function measureDistance(change: SchemaChange, { direction, field, name }: Break): number {
  const { field: own, pointer, rule, verdict } = change;
  if (own === undefined || verdict === 'cosmetic' || change.direction !== direction) return -1;
  const isWithin = (inner: string, outer: string): boolean =>
    inner.startsWith(outer) && (outer === '' || /^(?:[.[]|$)/.test(inner.slice(outer.length)));
  const dropStep = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
  const isOfName = name !== undefined && isWithin(pointer.replaceAll('/', '.'), `.$defs.${name}`);
  return [
    own === field && (name === undefined || isOfName),
    (field !== '' || rule === 'property-added-required') && isWithin(own, field),
    isWithin(field, own) && describesInside.test(rule),
    // A member of its own takes its name out of those that have a common type.
    field.endsWith('*') && dropStep(own) === dropStep(field),
    isOfName && readLastStep(own) === readLastStep(field),
    isOfName,
    field !== '' && readLastStep(own) === readLastStep(field),
  ].indexOf(true);
}

/** Rules of changes that replace all that is inside. */
const describesInside = /^(?:media|union|type|schema|object|names|property-(?:removed|unlisted)|null)/;
