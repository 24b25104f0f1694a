import { compileSchema, isJsonObject, type JsonValue, type Schema } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readHeader } from '../../contract/evidence.ts';
import { excerpt, finding } from '../../contract/finding.ts';
import * as expect from '../expect.ts';
import type { ObservedResponse } from './observed-response.ts';
import type { ResponseCheck } from './passive-rule.ts';

// These checks use the effective specifications: an owner's overlay decides which headers are required and which values are valid.

export const requiredHeaders: ResponseCheck = (observed) =>
  Object.entries(observed.documented?.headers ?? {})
    .filter(([name, { required }]) => required && readHeader(observed, name) === undefined)
    .map(([header]) => {
      const at = { step: observed.step, header };
      return finding('header-missing', at, `header ${header}`, expect.describeAbsence(observed, header));
    });

const isAmount = /^X-Committed-Spend-(?:Limit|Current)$|-Credits-Used$/;

/** Expects that a header, where present, fits its schema or the one in `x-tolerated` of the schema. */
export function fitsItsSchema(named: expect.HeaderName): ResponseCheck {
  return (observed, context) => {
    const header = expect.nameHeader(named, context);
    const text = readHeader(observed, header);
    const schema = findSchema(observed, context, header);
    if (text === undefined || schema === undefined) return [];
    const tolerated = isJsonObject(schema) ? schema['x-tolerated'] : undefined;
    const find = (one: Schema) => findProblem(text, compileSchema(one, { root: observed.document }));
    const problem = find(schema);
    if (problem === undefined || (isJsonObject(tolerated) && find(tolerated) === undefined)) return [];
    const wrong = finding('header-malformed', { step: observed.step, header }, problem, excerpt(text));
    // The API text requires at least 0 only for the remaining spend; rejecting other negative amounts relies on OP-087.
    return [isAmount.test(header) && /^-\d+$/.test(text.trim()) ? { ...wrong, reading: 'OP-087' } : wrong];
  };
}

/** Where the response does not list the header, the schema is that of an operation that lists all headers of its API. */
function findSchema(
  { documented, operation: { api } }: ObservedResponse,
  { operation }: ProbeContext,
  header: string,
): Schema | undefined {
  const { responses } = operation(api === 'model-router' ? 'runModel' : 'readJobWorkflow');
  return [documented, ...Object.values(responses)].find((one) => one && header in one.headers)?.headers[header]?.schema;
}

/** Returns the problem of a header that is valid neither as text nor as the value it encodes; otherwise undefined. */
function findProblem(text: string, check: ReturnType<typeof compileSchema>): string | undefined {
  const problems = readValues(text).map((value) => check(value)[0]?.message);
  return problems.includes(undefined) ? undefined : problems.at(-1);
}

/** Returns the text, and the whole number or boolean (in any letter case) that it encodes. */
function readValues(text: string): readonly JsonValue[] {
  const trimmed = text.trim();
  if (/^-?\d+$/.test(trimmed)) return [trimmed, Number(trimmed)];
  return /^(?:true|false)$/i.test(trimmed) ? [trimmed, trimmed.toLowerCase() === 'true'] : [trimmed];
}
