import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, memberOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import { finding } from '../../require.ts';

export function entriesOf(answer: Answer): readonly JsonValue[] {
  const detail = memberOf(answer, '/detail');
  return Array.isArray(detail) ? detail : [];
}

function locsOf(answer: Answer): readonly (readonly JsonValue[])[] {
  return entriesOf(answer).flatMap((entry) =>
    isJsonObject(entry) && Array.isArray(entry['loc']) ? [entry['loc']] : [],
  );
}

/** A prefix such as `body` is tolerated: the way ends at the field, or inside its wrong value. */
function leadsTo(loc: readonly JsonValue[], way: readonly (string | number)[]): boolean {
  return loc.some((_, start) => way.every((part, offset) => loc[start + offset] === part));
}

export function missingWay(answer: Answer, way: readonly (string | number)[]): readonly Draft[] {
  if (locsOf(answer).some((loc) => leadsTo(loc, way))) return [];
  const said = { expected: `a loc with ${JSON.stringify(way)} in this order`, actual: JSON.stringify(locsOf(answer)) };
  return [finding('value-unexpected', { step: answer.step, pointer: '/detail' }, said)];
}
