import { compileSchema, type JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { decodeBody, readHeader, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { excerpt, finding } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { modelPath, post, step } from '../../contract/steps.ts';
import { parseDocument, readDiscoveredModel } from '../../run/discovered-model.ts';
import { type Expectation, onResponseIfSent } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { jsonBody } from '../builders/router-steps.ts';
import { scripted } from '../builders/scripted-runs.ts';
import { conditional, readDocuments } from './reading.ts';

const modelsAtMost = 40;

const listed = ({ discovery }: ProbeContext): readonly string[] =>
  discovery.isPart ? discovery.listed : discovery.listed.slice(0, modelsAtMost);
const steps =
  (kind: string) =>
  (context: ProbeContext): readonly string[] =>
    listed(context).map((id) => `${kind} ${id}`);

export function modelIn(evidence: Evidence, id: string, { specs }: ProbeContext): DiscoveredModel | undefined {
  if (!wasAnswered(evidence, `read ${id}`)) return undefined;
  const document = parseDocument(readResponse(evidence, `read ${id}`));
  if (document.kind === 'malformed') return undefined;
  const reading = readDiscoveredModel(id, document.value, specs.settings.brand);
  return reading.kind === 'usable' ? reading.model : undefined;
}

/** Only what the document requires; undefined where that is the usual input. */
function leastInput({ input, inputSchema, document }: DiscoveredModel): JsonObject | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const least = Object.keys(input).reduce((kept: JsonObject, name) => {
    const { [name]: _, ...fewer } = kept;
    return check(fewer).length === 0 ? fewer : kept;
  }, input);
  return Object.keys(least).length < Object.keys(input).length ? least : undefined;
}

const inputs = {
  run: ({ input }: DiscoveredModel): JsonObject => input,
  least: leastInput,
  invalid: ({ invalidInput }: DiscoveredModel): JsonObject | undefined => invalidInput,
} as const;

/** Reads each model's document twice, then runs the model with inputs that the document accepts and refuses. */
const eachModel = (context: ProbeContext): Probe => {
  const ids = listed(context);
  // Their inputs are those that other rules run them with, and the owner's where there are any.
  const found = Object.values(context.discovery.models);
  const again = (id: string, index: number): Step => {
    const read = { to: `${modelPath(id)}/openapi.json`, from: `read ${id}` };
    return { ...conditional(`again ${id}`, (tag) => tag, read), ...(index === 0 ? {} : { alongside: true }) };
  };
  const run = (kind: keyof typeof inputs, id: string): Step =>
    step(
      `${kind} ${id}`,
      (earlier) => {
        const model = found.find((one) => one.id === id) ?? modelIn(earlier, id, context);
        const value = model === undefined ? undefined : inputs[kind](model);
        return value === undefined ? undefined : post('router', modelPath(id), jsonBody(value));
      },
      { mayBeLeftOut: true, ...(kind === 'run' ? { sharedRun: 'plain' } : {}) },
    );
  return [
    ...readDocuments(ids),
    ...ids.map(again),
    ...ids.flatMap((id) => [run('run', id), run('least', id), run('invalid', id)]), // in turn: calls in flight are limited
  ];
};

const accepted =
  (expected: string): Expectation =>
  ({ status, step, body }) =>
    status === 422 ? [finding('status-unexpected', { step }, expected, excerpt(decodeBody({ body })))] : [];

// Every model of the catalog runs, not only those of the test hooks.
const schemaInput: Family = { ...scripted, cost: 'billed', perModel: true, probe: eachModel };

export const schemaInputRules: readonly Rule[] = defineFamily(schemaInput, {
  'schema-document.not-modified.for-each-model': {
    sentence: "Each model's own entity tag is answered with 304.",
    requirements: ['MR-SCH-12'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: onResponseIfSent(steps('again'), expect.status(304)),
  },
  'schema-document.content.is-what-inputs-are-judged-by': {
    sentence: 'An input that the schema document accepts is accepted by the model.',
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-27'],
    check: onResponseIfSent(steps('run'), accepted('an input of its document accepted')),
  },
  'schema-document.content.asks-for-all-that-is-required': {
    sentence: 'The schema document requires every member without which the model refuses an input.',
    requirements: ['MR-SCH-27', 'MR-SCH-31', 'MR-SCH-26'],
    reading: 'NS-103',
    check: onResponseIfSent(
      steps('least'),
      expect.where(
        // A provider may be stricter than the document; then its own status is reported.
        (response, { headers }) => readHeader(response, headers.upstreamStatus) === undefined,
        accepted('what the document allows accepted'),
      ),
    ),
  },
  'schema-document.content.is-what-inputs-are-refused-by': {
    sentence: 'An input that the schema document rejects is refused with 422.',
    requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-CTG-03'],
    check: onResponseIfSent(steps('invalid'), expect.status(422)),
  },
});
