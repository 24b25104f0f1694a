import { extensionKey, resolvePointer } from '../../../../specs/src/index.ts';
import { type Answer, headerOf, mediaTypeOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { matchesMediaType } from '../../documented.ts';
import type { Draft } from '../../finding.ts';
import { finding, forbidHeader, type Matcher, requireHeader, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import type { SurveyedModel } from '../../survey.ts';
import { hasCapability } from '../../target.ts';
import { filled, nosniff, wholeNumber, wholeNumberFromZero } from '../vocabulary/matchers.ts';
import { modelViolations } from '../vocabulary/model-schema.ts';
import { run } from '../vocabulary/router-steps.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';
const answers = 'run.result.comes-in-the-same-answer';
const needs = [answers];
const runOne = (context: ProbeContext) => ({ steps: [run('run', context.model('authored'))] });

/** The binary model too, where the target has one: bytes need nosniff most. */
function runnable(context: ProbeContext): readonly SurveyedModel[] {
  const { binary } = context.survey.models;
  return binary === undefined ? [context.model('authored')] : [context.model('authored'), binary];
}
const runSeveral = (context: ProbeContext) => ({ steps: runnable(context).map((model) => run(model.id, model)) });

function ifPresent(answer: Answer, name: string, matcher: Matcher<string>): readonly Draft[] {
  return headerOf(answer, name) === undefined ? [] : requireHeader(answer, name, matcher);
}

/** C-26: array text, or a JSON string with array text inside. */
const jsonSentences: Matcher<string> = {
  expected: 'a JSON array of strings',
  is: (value) => {
    try {
      const once: unknown = JSON.parse(value);
      const parsed: unknown = typeof once === 'string' ? JSON.parse(once) : once;
      return Array.isArray(parsed) && parsed.every((entry) => typeof entry === 'string');
    } catch {
      return false;
    }
  },
};
const truthWord: Matcher<string> = { expected: 'true or false', is: (value) => /^(?:true|false)$/i.test(value.trim()) };

/** The output counts as authored unless the document says otherwise or declares any media type. */
function authoredOutputs(model: SurveyedModel, context: ProbeContext): readonly string[] {
  const flag = extensionKey(context.specs.settings.brand, 'output-schema-authored');
  if (resolvePointer(model.document, `/${flag}`) === false) return [];
  return Object.keys(model.outputs);
}

function typeFindings(answer: Answer, model: SurveyedModel, context: ProbeContext): readonly Draft[] {
  const documented = authoredOutputs(model, context);
  const actual = mediaTypeOf(answer);
  if (documented.length === 0 || documented.some((type) => matchesMediaType(type, actual))) return [];
  const at = { step: answer.step, header: 'Content-Type' };
  return [finding('media-type-unexpected', at, { expected: documented.join(' or '), actual: actual ?? 'absent' })];
}

function plainFindings(answer: Answer, { headers }: ProbeContext): readonly Draft[] {
  return [...forbidHeader(answer, headers.fallbackProvider), ...forbidHeader(answer, headers.droppedParams)];
}

export const runResultRules: readonly Rule[] = [
  defineRule({
    id: answers,
    family,
    requirements: ['MR-RUN-02', 'MR-RUN-23', 'MR-CAT-02'],
    api,
    cost,
    probe: runOne,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, 200);
      if (status.length > 0 || answer.body.length > 0) return status;
      return [finding('body-malformed', { step: 'run' }, { expected: 'the result', actual: 'an empty body' })];
    },
  }),
  defineRule({
    id: 'run.result.carries-request-id',
    family,
    requirements: ['MR-RUN-30', 'MR-HDR-01'],
    needs,
    api,
    cost,
    probe: runOne,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'run'), headers.requestId, filled),
  }),
  defineRule({
    id: 'run.result.forbids-sniffing',
    family,
    requirements: ['MR-RUN-31', 'MR-HDR-22'],
    needs,
    api,
    cost,
    probe: runSeveral,
    judge: (evidence, context) =>
      runnable(context).flatMap(({ id }) => requireHeader(responseOf(evidence, id), 'X-Content-Type-Options', nosniff)),
  }),
  defineRule({
    id: 'run.result.has-a-documented-media-type',
    family,
    requirements: ['MR-SCH-29'],
    needs,
    api,
    cost,
    appliesTo: hasCapability('state'),
    probe: runSeveral,
    judge: (evidence, context) =>
      runnable(context).flatMap((model) => typeFindings(responseOf(evidence, model.id), model, context)),
  }),
  defineRule({
    id: 'run.result.has-the-documented-shape',
    family,
    requirements: ['MR-RUN-23', 'MR-SCH-28'],
    needs: ['run.result.has-a-documented-media-type'],
    api,
    cost,
    appliesTo: hasCapability('state'),
    probe: runOne,
    judge: (evidence, context) => modelViolations(responseOf(evidence, 'run'), context.model('authored')),
  }),
  defineRule({
    id: 'run.plain.names-no-fallback-and-no-dropped-fields',
    family,
    requirements: ['MR-HDR-09', 'MR-HDR-11'],
    needs,
    api,
    cost,
    appliesTo: hasCapability('state'),
    probe: runOne,
    judge: (evidence, context) => plainFindings(responseOf(evidence, 'run'), context),
  }),
  defineRule({
    id: 'run.result.headers-are-typed',
    family,
    requirements: ['MR-HDR-05', 'MR-HDR-06', 'MR-HDR-12', 'MR-HDR-13', 'MR-HDR-25'],
    needs,
    api,
    cost,
    probe: runOne,
    judge: (evidence, { headers }) => {
      const answer = responseOf(evidence, 'run');
      return [
        ...ifPresent(answer, headers.upstreamStatus, wholeNumberFromZero),
        ...ifPresent(answer, headers.droppedParams, jsonSentences),
        ...ifPresent(answer, headers.fallbackProvider, filled),
        ...ifPresent(answer, headers.creditsUsed, wholeNumber),
        ...ifPresent(answer, 'Idempotent-Replayed', truthWord),
      ];
    },
  }),
];
