import {
  compileSchema,
  createSampler,
  isJsonObject,
  type JsonObject,
  readSchema,
} from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { decodeBody, once, readHeader, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { excerpt, finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { type Check, defineFamily, type NamedMember, splitWords } from '../../contract/rule.ts';
import { state, validation } from '../../requires.ts';
import { parseDocument, readDiscoveredModel } from '../../run/discovered-model.ts';
import * as expect from '../builders/expect.ts';
import { startOperations } from '../builders/operations.ts';
import * as send from '../builders/send.ts';
import { listWrongValues } from '../builders/wrong-values.ts';
import { conditional, readDocuments } from './reading.ts';

const modelsAtMost = 40;

const sampled = ({ discovery }: ProbeContext): readonly string[] =>
  discovery.isPart ? discovery.listed : discovery.listed.slice(0, modelsAtMost);
const steps =
  (kind: string) =>
  (context: ProbeContext): readonly string[] =>
    sampled(context).map((id) => `${kind} ${id}`);

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
  const ids = sampled(context);
  // Their inputs are those that other rules run them with, and the owner's where there are any.
  const found = Object.values(context.discovery.models);
  const again = (id: string, index: number): Step => {
    const read = { to: `${send.modelPath(id)}/openapi.json`, from: `read ${id}` };
    return { ...conditional(`again ${id}`, (tag) => tag, read), ...(index === 0 ? {} : { alongside: true }) };
  };
  const run = (kind: keyof typeof inputs, id: string): Step =>
    send.step(
      `${kind} ${id}`,
      (earlier) => {
        const model = found.find((one) => one.id === id) ?? modelIn(earlier, id, context);
        const value = model === undefined ? undefined : inputs[kind](model);
        return value === undefined ? undefined : send.post(send.modelPath(id), send.jsonBody(value));
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
  (expected: string): expect.Expectation =>
  ({ status, step, body }) =>
    status === 422 ? [finding('status-unexpected', { step }, expected, excerpt(decodeBody({ body })))] : [];

// Every model of the catalog runs, not only those of the test hooks.
export const schemaInputRules = defineFamily({
  ...send.scripted,
  cost: 'billed',
  perModel: true,
  probe: eachModel,
})({
  'schema-document.not-modified.for-each-model': {
    sentence: "Each model's own entity tag is answered with 304.",
    requirements: ['MR-SCH-12'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: expect.ifSent(steps('again'), expect.status(304)),
  },
  'schema-document.content.is-what-inputs-are-judged-by': {
    concern: 'inputs',
    sentence: 'An input that the schema document accepts is accepted by the model.',
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-27'],
    check: expect.ifSent(steps('run'), accepted('an input of its document accepted')),
  },
  'schema-document.content.asks-for-all-that-is-required': {
    concern: 'inputs',
    sentence: 'The schema document requires every member without which the model refuses an input.',
    requirements: ['MR-SCH-27', 'MR-SCH-31', 'MR-SCH-26'],
    reading: 'OP-103',
    check: expect.ifSent(
      steps('least'),
      expect.where(
        // A provider may be stricter than the document; then its own status is reported.
        (response, { headers }) => readHeader(response, headers.upstreamStatus) === undefined,
        accepted('what the document allows accepted'),
      ),
    ),
  },
  'schema-document.content.is-what-inputs-are-refused-by': {
    concern: 'inputs',
    sentence: 'An input that the schema document rejects is refused with 422.',
    requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-CTG-03'],
    check: expect.ifSent(steps('invalid'), expect.status(422)),
  },
});

const keywords = splitWords(
  'enum maximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems additionalProperties',
);

const wrongInputs = new WeakMap<DiscoveredModel, ReadonlyMap<string, JsonObject>>();

/** Returns, for each keyword, a valid input changed so that it only breaks that keyword, if there is one. */
export function findWrongInputs(model: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  return once(wrongInputs, model, () => makeWrongInputs(model));
}

function makeWrongInputs({ input, inputSchema, document }: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  const check = compileSchema(inputSchema, { root: document });
  const wrong = listWrongValues(inputSchema, document);
  // A full sample has the nested values that the usual input may lack.
  const sample = createSampler(readSchema(document, inputSchema, 'input'));
  const full = sample({ random: () => 0.5, prefer: 'full', check });
  const found = new Map<string, JsonObject>();
  for (const valid of [input, full ?? input]) {
    for (const { change } of wrong) {
      const candidate = change(valid);
      const broken = new Set(isJsonObject(candidate) ? check(candidate).map(({ keyword }) => keyword) : []);
      const [keyword = ''] = broken;
      if (isJsonObject(candidate) && broken.size === 1 && !found.has(keyword)) found.set(keyword, candidate);
    }
  }
  return found;
}

const modelsPerKeyword = 2;

function runnableOnes({ runnable }: ProbeContext): readonly string[] {
  return runnable.slice(0, modelsAtMost);
}

type Wrong = { readonly id: string; readonly input: JsonObject };

/** The model with an input that has to be refused; without an authored schema nothing is. */
function readWrong(evidence: Evidence, id: string, context: ProbeContext, keyword?: string): Wrong | undefined {
  const model = modelIn(evidence, id, context);
  if (model?.invalidInput === undefined) return undefined;
  const input = keyword === undefined ? model.invalidInput : findWrongInputs(model).get(keyword);
  return input && { id, input };
}

const refusals = {
  run: { requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-STC-11'], statuses: [422] },
  // A model that returns bytes may not be queued at all.
  submit: { requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09'], statuses: [422, 403] },
} as const;

const nameSteps = (operation: string, keyword: string): readonly string[] =>
  Array.from({ length: modelsPerKeyword }, (_, index) => `${operation} ${keyword} ${index + 1}`);

function eachConstraint(context: ProbeContext): Probe {
  const models = runnableOnes(context);
  const broken = startOperations.flatMap(({ name, tail }) =>
    keywords.flatMap((keyword) =>
      nameSteps(name, keyword).map((step, index) =>
        sendWrong(
          step,
          tail,
          (earlier) => models.flatMap((id) => readWrong(earlier, id, context, keyword) ?? [])[index],
        ),
      ),
    ),
  );
  const invalid = models.map((id) =>
    sendWrong(`invalid ${id}`, '/requests', (earlier) => readWrong(earlier, id, context)),
  );
  return [...readDocuments(models), ...broken, ...invalid];
}

/** A call with an input that has to be refused; left out where there is none. */
function sendWrong(name: string, tail: string, pick: (earlier: Evidence) => Wrong | undefined): Step {
  const request = (earlier: Evidence) => {
    const wrong = pick(earlier);
    return wrong && send.post(send.modelPath(wrong.id) + tail, send.jsonBody(wrong.input));
  };
  return send.step(name, request, { mayBeLeftOut: true, mustBeRejected: true });
}

/** A step is left out where no model has an input for it. */
const checkRefused =
  (keyword: string, steps: readonly string[], statuses: readonly number[]): Check =>
  (evidence, context) => {
    if (steps.some((step) => wasAnswered(evidence, step)))
      return expect.ifSent(steps, expect.status(statuses))(evidence, context);
    const models = context.kind === 'live' ? 'models in conform.live.models' : `first ${modelsAtMost} models`;
    return notApplicable(`no input of the ${models} violates ${keyword} and nothing else`);
  };

const keywordRules = startOperations.flatMap(({ name, noun }) =>
  keywords.map(
    (keyword): NamedMember => [
      `schema-document.constraints.${name}.${keyword.toLowerCase()}`,
      {
        sentence: `A ${noun} whose input violates "${keyword.toLowerCase()}" in the schema document is refused with 422 invalid_input.`,
        requirements: refusals[name].requirements,
        check: checkRefused(keyword, nameSteps(name, keyword), refusals[name].statuses),
      },
    ],
  ),
);

export const schemaConstraintRules = defineFamily({
  cost: 'billed',
  requires: [state, validation],
  probe: eachConstraint,
})(keywordRules, {
  'schema-document.constraints.submit.of-each-model': {
    sentence: 'For each model, a submission that violates its schema document is refused with 422 invalid_input.',
    requirements: ['MR-SUB-07', 'MR-SUB-08'],
    check: expect.ifSent((context) => runnableOnes(context).map((id) => `invalid ${id}`), expect.status([422, 403])),
  },
});
