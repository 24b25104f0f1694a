import { compileSchema, type JsonObject } from '../../../../specs/src/index.ts';
import { headerOf, responseOf, textOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { documentOf } from '../../engine/shared-documents.ts';
import { readSurveyedModel } from '../../engine/surveyed-model.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest } from '../../probe.ts';
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

const eachModel = (context: ProbeContext): Probe => {
  const run = (id: string, choose: (model: SurveyedModel) => JsonObject | undefined) => (earlier: Evidence) => {
    const model = modelIn(earlier, id, context);
    const value = model === undefined ? undefined : choose(model);
    return value === undefined ? undefined : post('router', modelPath(id), { body: { kind: 'json', value } });
  };
  const again =
    (id: string) =>
    (earlier: Evidence): ProbeRequest | undefined => {
      const tag = headerOf(responseOf(earlier, `read ${id}`), 'etag');
      if (tag === undefined) return undefined;
      return get('router', `${modelPath(id)}/openapi.json`, { headers: [['If-None-Match', tag]] });
    };
  return {
    steps: idsIn(context).flatMap((id) => [
      read(`read ${id}`, { path: modelPath(id) }),
      stepFrom(`again ${id}`, again(id)),
      stepFrom(`least ${id}`, run(id, leastInput)),
      stepFrom(
        `invalid ${id}`,
        run(id, ({ invalidInput }) => invalidInput),
      ),
    ]),
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
    probe: eachModel,
    judge: (evidence, context) =>
      answered(evidence, context, 'again').flatMap((name) => requireStatus(responseOf(evidence, name), 304)),
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
