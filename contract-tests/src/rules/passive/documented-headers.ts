import {
  compileSchema,
  isJsonObject,
  type JsonValue,
  type OpenApiDocument,
  type Schema,
} from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readHeader } from '../../contract/evidence.ts';
import { excerpt, finding } from '../../contract/finding.ts';
import * as expect from '../builders/expectations.ts';
import type { ObservedResponse } from './observed-response.ts';
import type { ResponseCheck } from './passive-rule.ts';

/** A header as the effective specifications have it: an owner's overlay decides what is required and what a value may be. */
type DocumentedHeader = ObservedResponse['operation']['responses'][string]['headers'][string];

function headersFor({ operation, response }: ObservedResponse): Readonly<Record<string, DocumentedHeader>> {
  const listed = operation.responses[String(response.status)];
  // `default` is for errors: a success that is not listed is another rule's finding.
  return (listed ?? (response.status >= 400 ? operation.responses['default'] : undefined))?.headers ?? {};
}

/** Whether the specification requires a header of this response. */
export function isRequired(observed: ObservedResponse, name: string): boolean {
  return headersFor(observed)[name]?.required === true;
}

/** Each header that the specification requires of the response is there. */
export const requiredHeaders: ResponseCheck = (observed) =>
  Object.entries(headersFor(observed))
    .filter(([name, { required }]) => required && readHeader(observed.response, name) === undefined)
    .map(([header]) => {
      const at = { step: observed.response.step, header };
      return finding('header-missing', at, `header ${header}`, expect.describeAbsence(observed.response, header));
    });

const isAmount = /^X-Committed-Spend-(?:Limit|Current)$|-Credits-Used$/;

/** A header that is there fits its schema, or what `x-tolerated` in the schema describes. */
export function fitsItsSchema(named: expect.HeaderName): ResponseCheck {
  return (observed, context) => {
    const header = expect.nameHeader(named, context);
    const text = readHeader(observed.response, header);
    const { schema, root } = findSchema(observed, context, header);
    if (text === undefined || schema === undefined) return [];
    const tolerated = isJsonObject(schema) ? schema['x-tolerated'] : undefined;
    const problem = findProblem(text, schema, root);
    if (problem === undefined || (isJsonObject(tolerated) && findProblem(text, tolerated, root) === undefined))
      return [];
    const wrong = finding('header-malformed', { step: observed.response.step, header }, problem, excerpt(text));
    // Of an amount a whole number is stated, and of the remaining one alone that it is not negative.
    return [isAmount.test(header) && /^-\d+$/.test(text.trim()) ? { ...wrong, reading: 'NS-87' } : wrong];
  };
}

function findSchema(
  observed: ObservedResponse,
  { specs, operation }: ProbeContext,
  header: string,
): { readonly schema: Schema | undefined; readonly root: OpenApiDocument } {
  const isOfRouter = observed.operation.api === 'model-router';
  // A response that does not list the header may have it all the same; these two operations list all of them.
  const { responses } = operation(isOfRouter ? 'runModel' : 'readJobWorkflow');
  const elsewhere = Object.values(responses).find(({ headers }) => header in headers)?.headers[header];
  return {
    schema: (headersFor(observed)[header] ?? elsewhere)?.schema,
    root: isOfRouter ? specs.modelRouter : specs.workflowExecution,
  };
}

/** What is wrong with a header's text, read as text and as what it stands for; undefined when one of them fits. */
function findProblem(text: string, schema: Schema, root: OpenApiDocument): string | undefined {
  const check = compileSchema(schema, { root });
  const problems = readValues(text).map((value) => check(value)[0]?.message);
  return problems.includes(undefined) ? undefined : problems.at(-1);
}

/** The text, and the whole number or the truth value (in any letter case) that it stands for. */
function readValues(text: string): readonly JsonValue[] {
  const trimmed = text.trim();
  if (/^-?\d+$/.test(trimmed)) return [trimmed, Number(trimmed)];
  return /^(?:true|false)$/i.test(trimmed) ? [trimmed, trimmed.toLowerCase() === 'true'] : [trimmed];
}
