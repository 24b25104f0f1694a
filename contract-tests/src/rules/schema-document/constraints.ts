import { compileSchema, isJsonObject, type JsonObject, readSchema, sampleValues } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { once, wasAnswered } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { type Check, defineFamily, type Family, type NamedMember, type Rule, splitWords } from '../../contract/rule.ts';
import { modelPath, post, step } from '../../contract/steps.ts';
import { state, validation } from '../../requires.ts';
import { onResponseIfSent } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { startOperations } from '../builders/operations.ts';
import { jsonBody } from '../builders/router-steps.ts';
import { listWrongValues } from '../builders/wrong-values.ts';
import { modelIn } from './inputs.ts';
import { readDocuments } from './reading.ts';

const keywords = splitWords(
  'enum maximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems additionalProperties',
);

const wrongInputs = new WeakMap<DiscoveredModel, ReadonlyMap<string, JsonObject>>();

/** For each keyword that can be broken alone a valid input, changed so that it breaks this keyword and nothing else. */
export function findWrongInputs(model: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  return once(wrongInputs, model, () => makeWrongInputs(model));
}

function makeWrongInputs({ input, inputSchema, document }: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  const check = compileSchema(inputSchema, { root: document });
  const wrong = listWrongValues(inputSchema, document);
  // A full sample has the nested values that the usual input may lack.
  const samples = [...sampleValues(readSchema(document, inputSchema, 'input'), { random: () => 0.5, prefer: 'full' })];
  const full = samples.find((sample) => check(sample).length === 0);
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

const modelsAtMost = 40;
const modelsPerKeyword = 2;

function listed({ runnable }: ProbeContext): readonly string[] {
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

function breakable(evidence: Evidence, keyword: string, context: ProbeContext): readonly Wrong[] {
  const found: Wrong[] = [];
  for (const id of listed(context)) {
    if (found.length === modelsPerKeyword) break;
    const wrong = readWrong(evidence, id, context, keyword);
    if (wrong !== undefined) found.push(wrong);
  }
  return found;
}

const refusals = {
  run: { requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-STC-11'], statuses: [422] },
  // A model that returns bytes may not be queued at all.
  submit: { requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09'], statuses: [422, 403] },
} as const;

const nameSteps = (operation: string, keyword: string): readonly string[] =>
  Array.from({ length: modelsPerKeyword }, (_, index) => `${operation} ${keyword} ${index + 1}`);

function eachConstraint(context: ProbeContext): Probe {
  const models = listed(context);
  const broken = startOperations.flatMap(({ name, tail }) =>
    keywords.flatMap((keyword) =>
      nameSteps(name, keyword).map((step, index) =>
        sendWrong(step, tail, (earlier) => breakable(earlier, keyword, context)[index]),
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
    return wrong && post('router', modelPath(wrong.id) + tail, jsonBody(wrong.input));
  };
  return step(name, request, { mayBeLeftOut: true, mustBeRejected: true });
}

/** A step is left out where no model has an input for it. */
const checkRefused =
  (keyword: string, steps: readonly string[], statuses: readonly number[]): Check =>
  (evidence, context) => {
    if (steps.some((step) => wasAnswered(evidence, step)))
      return onResponseIfSent(steps, expect.status(statuses))(evidence, context);
    const models = context.kind === 'live' ? 'models in conform.live.models' : `first ${modelsAtMost} models`;
    return notApplicable(`no input of the ${models} violates ${keyword} and nothing else`);
  };

const constraints: Family = { cost: 'billed', requires: [state, validation], probe: eachConstraint };

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

export const schemaConstraintRules: readonly Rule[] = defineFamily(constraints, keywordRules, {
  'schema-document.constraints.submit.of-each-model': {
    sentence: 'For each model, a submission that violates its schema document is refused with 422 invalid_input.',
    requirements: ['MR-SUB-07', 'MR-SUB-08'],
    check: onResponseIfSent((context) => listed(context).map((id) => `invalid ${id}`), expect.status([422, 403])),
  },
});
