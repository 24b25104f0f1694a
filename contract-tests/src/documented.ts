import {
  compileSchema,
  type EffectiveSpecs,
  type JsonObject,
  type JsonValue,
  type OpenApiDocument,
  type Operation,
  type ResolvedResponse,
  resolvePointer,
  type Schema,
  type Violation,
} from '../../specs/src/index.ts';
import { type Answer, headerOf, jsonOf, mediaTypeOf } from './answer.ts';
import type { ProbeContext } from './context.ts';
import type { Draft } from './finding.ts';
import { excerpt, finding, requireJson } from './require.ts';

type SchemaRoot = OpenApiDocument | JsonObject;

/** The documented response for a status: the exact one, else `default`, which stands for errors only. */
function documentedResponse(operation: Operation, status: number): ResolvedResponse | undefined {
  return operation.responses[String(status)] ?? (status >= 400 ? operation.responses['default'] : undefined);
}

/** Status, required headers, header types, media type and body against the effective specification. */
export function requireDocumented(answer: Answer, context: ProbeContext, operationId: string): readonly Draft[] {
  const operation = context.operation(operationId);
  const documented = documentedResponse(operation, answer.status);
  if (documented === undefined) {
    const expected = `one of ${Object.keys(operation.responses).join(', ')}`;
    return [finding('status-undocumented', { step: answer.step }, { expected, actual: String(answer.status) })];
  }
  const root = rootOf(context.specs, operation);
  return [...headersAgainst(answer, documented, root), ...bodyAgainst(answer, documented, root)];
}

/** A JSON body against any schema; `root` is where its `#/…` references resolve. */
export function requireSchema(answer: Answer, schema: Schema, root?: SchemaRoot): readonly Draft[] {
  const parsed = jsonOf(answer);
  if (parsed.kind === 'malformed') return requireJson(answer);
  return violationsOf(schema, root, parsed.value).map((violation) =>
    draftOf(violation, { step: answer.step }, parsed.value),
  );
}

function headersAgainst(answer: Answer, documented: ResolvedResponse, root: OpenApiDocument): readonly Draft[] {
  return Object.entries(documented.headers).flatMap(([name, { required, schema }]) => {
    const at = { step: answer.step, header: name };
    const text = headerOf(answer, name);
    if (text === undefined) {
      return required ? [finding('header-missing', at, { expected: `header ${name}`, actual: 'absent' })] : [];
    }
    if (schema === undefined) return [];
    return headerViolations(schema, root, text).map(({ message }) =>
      finding('header-malformed', at, { expected: message, actual: excerpt(text) }),
    );
  });
}

function bodyAgainst(answer: Answer, documented: ResolvedResponse, root: OpenApiDocument): readonly Draft[] {
  const types = Object.keys(documented.content);
  if (types.length === 0) return [];
  const mediaType = mediaTypeOf(answer);
  const matched = types.find((type) => matchesMediaType(type, mediaType));
  if (matched === undefined) {
    const at = { step: answer.step, header: 'Content-Type' };
    return [finding('media-type-unexpected', at, { expected: types.join(' or '), actual: mediaType ?? 'absent' })];
  }
  const schema = documented.content[matched];
  if (schema === undefined || !isJson(mediaType)) return [];
  return requireSchema(answer, schema, root);
}

export function matchesMediaType(documented: string, actual: string | undefined): boolean {
  const range = documented.split(';')[0]?.trim().toLowerCase() ?? '';
  if (range === '*/*') return true;
  if (actual === undefined) return false;
  return range.endsWith('/*') ? actual.startsWith(range.slice(0, -1)) : actual === range;
}

function isJson(mediaType: string | undefined): boolean {
  return mediaType === 'application/json' || mediaType?.endsWith('+json') === true;
}

function violationsOf(schema: Schema, root: SchemaRoot | undefined, value: unknown): readonly Violation[] {
  return compileSchema(schema, root === undefined ? {} : { root })(value);
}

/** A header line is text; its schema may mean the number or boolean written there. The first reading that fits counts. */
function headerViolations(schema: Schema, root: SchemaRoot, text: string): readonly Violation[] {
  const value = text.trim();
  const readings: readonly JsonValue[] = [
    text,
    ...(/^-?\d+(?:\.\d+)?$/.test(value) ? [Number(value)] : []),
    ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
  ];
  const judged = readings.map((reading) => violationsOf(schema, root, reading));
  return judged.find((violations) => violations.length === 0) ?? judged.at(-1) ?? [];
}

function draftOf(violation: Violation, at: { step: string }, value: JsonValue): Draft {
  const actual = pointerValue(value, violation.pointer);
  return finding('schema-violated', { ...at, pointer: violation.pointer }, { expected: violation.message, actual });
}

function pointerValue(value: JsonValue, pointer: string): string {
  const found = resolvePointer(value, pointer);
  return found === undefined ? 'absent' : excerpt(JSON.stringify(found));
}

function rootOf(specs: EffectiveSpecs, operation: Operation): OpenApiDocument {
  return operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
}
