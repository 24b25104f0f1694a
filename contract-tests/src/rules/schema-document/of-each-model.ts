import { compileSchema, type JsonObject } from '../../../../specs/src/index.ts';
import { headerOf, responseOf, textOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { documentOf } from '../../engine/shared-documents.ts';
import { readSurveyedModel } from '../../engine/surveyed-model.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { excerpt, finding, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { get, post, stepFrom } from '../../steps.ts';
import type { SurveyedModel } from '../../survey.ts';
import { modelPath } from '../vocabulary/router-steps.ts';
import { toldRule } from '../vocabulary/told-runs.ts';
import { read } from './caching.ts';

const family = 'schema-document';
const modelsAtMost = 40;

const idsIn = ({ survey }: Pick<ProbeContext, 'survey'>): readonly string[] => survey.listed.slice(0, modelsAtMost);

function modelIn(evidence: Evidence, id: string, { specs }: ProbeContext): SurveyedModel | undefined {
  if (!wasAnswered(evidence, `read ${id}`)) return undefined;
  const document = documentOf(responseOf(evidence, `read ${id}`));
  const reading =
    document.kind === 'malformed' ? undefined : readSurveyedModel(id, document.value, specs.settings.brand);
  return reading?.kind === 'usable' ? reading.model : undefined;
}

/** As little as the document asks for; undefined where that is what is sent anyway. */
function leastInput({ input, inputSchema, document }: SurveyedModel): JsonObject | undefined {
  const check = compileSchema(inputSchema, { root: document });
  const least = Object.keys(input).reduce((kept: JsonObject, name) => {
    const { [name]: _, ...fewer } = kept;
    return check(fewer).length === 0 ? fewer : kept;
  }, input);
  return Object.keys(least).length < Object.keys(input).length ? least : undefined;
}

const inputs = {
  run: ({ input }: SurveyedModel): JsonObject => input,
  least: leastInput,
  invalid: ({ invalidInput }: SurveyedModel): JsonObject | undefined => invalidInput,
} as const;

/** Reads the document of each model, asks for it again, and runs the model as its document says and as it does not. */
const eachModel = (context: ProbeContext): Probe => {
  const ids = idsIn(context);
  const again =
    (id: string) =>
    (earlier: Evidence): ProbeRequest | undefined => {
      const tag = headerOf(responseOf(earlier, `read ${id}`), 'etag');
      if (tag === undefined) return undefined;
      return get('router', `${modelPath(id)}/openapi.json`, { headers: [['If-None-Match', tag]] });
    };
  const run = (kind: keyof typeof inputs, id: string): Step =>
    stepFrom(`${kind} ${id}`, (earlier) => {
      const model = modelIn(earlier, id, context);
      const value = model === undefined ? undefined : inputs[kind](model);
      return value === undefined ? undefined : post('router', modelPath(id), { body: { kind: 'json', value } });
    });
  return {
    steps: [
      ...ids.map((id): Step => ({ ...read(`read ${id}`, { path: modelPath(id) }), alongside: true })),
      ...ids.map((id, index) => stepFrom(`again ${id}`, again(id), index === 0 ? {} : { alongside: true })),
      ...ids.flatMap((id) => [run('run', id), run('least', id), run('invalid', id)]), // one by one: calls in flight are counted
    ],
  };
};

/** A provider may be stricter than the document; then it was asked, and its own status is told. */
function refusedByRouter(evidence: Evidence, name: string, { headers }: ProbeContext): readonly Draft[] {
  const answer = responseOf(evidence, name);
  if (answer.status !== 422 || headerOf(answer, headers.upstreamStatus) !== undefined) return [];
  const said = { expected: 'what the document allows accepted', actual: excerpt(textOf(answer)) };
  return [finding('status-unexpected', { step: name }, said)];
}

function answered(evidence: Evidence, context: ProbeContext, kind: string): readonly string[] {
  return idsIn(context)
    .map((id) => `${kind} ${id}`)
    .filter((name) => wasAnswered(evidence, name));
}

export const schemaOfEachModelRules: readonly Rule[] = [
  toldRule({
    id: 'schema-document.not-modified.for-each-model',
    family,
    requirements: ['MR-SCH-12'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    probe: eachModel,
    judge: (evidence, context) =>
      answered(evidence, context, 'again').flatMap((name) => requireStatus(responseOf(evidence, name), 304)),
  }),
  toldRule({
    id: 'schema-document.content.is-what-inputs-are-judged-by',
    family,
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-27'],
    probe: eachModel,
    judge: (evidence, context) =>
      answered(evidence, context, 'run')
        .filter((name) => responseOf(evidence, name).status === 422)
        .map((name) => {
          const said = { expected: 'its document followed', actual: excerpt(textOf(responseOf(evidence, name))) };
          return finding('status-unexpected', { step: name }, said);
        }),
  }),
  toldRule({
    id: 'schema-document.content.asks-for-all-that-is-required',
    family,
    requirements: ['MR-SCH-27', 'MR-SCH-31', 'MR-SCH-26'],
    probe: eachModel,
    judge: (evidence, context) =>
      answered(evidence, context, 'least').flatMap((name) => refusedByRouter(evidence, name, context)),
  }),
  toldRule({
    id: 'schema-document.content.is-what-inputs-are-refused-by',
    family,
    requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-CTG-03'],
    probe: eachModel,
    judge: (evidence, context) =>
      answered(evidence, context, 'invalid').flatMap((name) => requireStatus(responseOf(evidence, name), 422)),
  }),
];
