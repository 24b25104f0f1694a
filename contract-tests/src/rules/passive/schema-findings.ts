import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  type Schema,
  type Violation,
} from '../../../../specs/src/index.ts';
import { matchesMediaType, readMediaType } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { wrongMediaType } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import type { ObservedResponse } from './observed-response.ts';

/** True for violations that the documents leave open. */
export type Tolerance = (violation: Violation, value: unknown) => boolean;
type By = {
  readonly schema?: Schema | undefined;
  /** Where the `#/…` references of the schema resolve. */
  readonly root?: JsonObject;
  readonly isTolerated?: Tolerance | undefined;
};

const violationsAtMost = 100;

export function schemaFindings(
  { body, response, documented, document }: ObservedResponse,
  { schema = documented?.content['application/json'] ?? true, root = document, isTolerated }: By = {},
): readonly Finding[] {
  if (body.kind === 'malformed') return expect.json(response);
  // The checker's work grows with the square of a list, and a hostile list has millions of places.
  const isWhole = !hasLongList(body.value);
  const violations = compileSchema(schema, { root, side: 'output' })(isWhole ? body.value : cut(body.value))
    .filter(({ keyword }) => isWhole || !needsWholeList.has(keyword))
    .filter((one) => isTolerated?.(one, resolvePointer(body.value, one.pointer)) !== true);
  return violations.slice(0, violationsAtMost).map(({ pointer, message, keyword }) => {
    const found = resolvePointer(body.value, pointer);
    const actual = found === undefined ? 'absent' : excerpt(JSON.stringify(found));
    return finding('schema-violated', { step: response.step, pointer }, wordRequirement(keyword, message), actual);
  });
}

function wordRequirement(keyword: string, message: string): string {
  if (keyword === 'not') return 'a value other than those that "not" of its schema rules out';
  if (keyword === 'false schema') return 'no value here: its schema is false';
  return message.replace(/^must NOT /, 'not to ').replace(/^must /, 'to ');
}

const placesAtMost = 1000; // of a list; ten times the longest that either API describes
const needsWholeList: ReadonlySet<string> = new Set(['minItems', 'contains', 'minContains']);

function hasLongList(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) && value.length > placesAtMost) || Object.values(value).some(hasLongList);
}

function cut(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.slice(0, placesAtMost).map(cut);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
    : value;
}

/** One of the media types that the operation lists for the status, or for JSON another name of it; parameters do not count. */
export function mediaTypeFindings({ response, documented }: ObservedResponse): readonly Finding[] {
  // NS-41: the media type of refusals is not given.
  if (response.status >= 400) return [];
  const types = Object.keys(documented?.content ?? {});
  const actual = readMediaType(response);
  const isJson = types.includes('application/json') && actual?.endsWith('+json') === true;
  if (types.length === 0 || isJson || types.some((type) => matchesMediaType(type, actual))) return [];
  return wrongMediaType(response.step, types.join(' or '), actual);
}
