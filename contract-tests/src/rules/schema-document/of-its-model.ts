import { headerOf, responseOf, textOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { documentOf } from '../../engine/shared-documents.ts';
import { readSurveyedModel } from '../../engine/surveyed-model.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { excerpt, finding, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, post, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes, sameBytes } from '../vocabulary/byte-comparison.ts';
import { modelPath, otherModelPath, schemaDocumentPath } from '../vocabulary/router-steps.ts';
import { toldRule } from '../vocabulary/told-runs.ts';
import { read } from './caching.ts';

const family = 'schema-document';
const api = 'router';
const appliesTo = hasCapability('state');
const needs = ['schema-document.not-modified.answers-the-same-tag'];

/** Reads with the tag of an earlier answer, if that had one. */
function readWithTag(name: string, model: { readonly path: string }, of: string): Step {
  return stepFrom(name, (earlier) => {
    const tag = headerOf(responseOf(earlier, of), 'etag');
    return tag === undefined ? undefined : get(api, schemaDocumentPath(model), { headers: [['If-None-Match', tag]] });
  });
}

const withForeignTag = (context: ProbeContext): Probe => {
  const model = context.model('authored');
  const other = { path: otherModelPath(context, model) };
  return { steps: [read('read', model), read('other', other), readWithTag('foreign-tag', other, 'read')] };
};

const times = ['once', 'twice', 'thrice'] as const;
const repeatedly = (context: ProbeContext): Probe => {
  const model = context.model('authored');
  return { steps: [read('read', model), ...times.map((name) => readWithTag(name, model, 'read'))] };
};

function requireWhole(evidence: Evidence): readonly Draft[] {
  const [mine, other] = [responseOf(evidence, 'read'), responseOf(evidence, 'other')];
  if (!wasAnswered(evidence, 'foreign-tag') || sameBytes(mine, other)) return [];
  const answer = responseOf(evidence, 'foreign-tag');
  const status = requireStatus(answer, 200);
  return status.length > 0 ? status : requireSameBytes(answer, other);
}

const modelsAtMost = 40;

/** Reads the document of each model and runs it as that document says. */
const asDocumented = ({ survey, specs }: ProbeContext): Probe => {
  const ids = survey.listed.slice(0, modelsAtMost);
  const runOf =
    (id: string) =>
    (earlier: Evidence): ProbeRequest | undefined => {
      const document = documentOf(responseOf(earlier, `read ${id}`));
      if (document.kind === 'malformed') return undefined;
      const reading = readSurveyedModel(id, document.value, specs.settings.brand);
      if (reading.kind === 'unusable') return undefined;
      return post(api, modelPath(id), { body: { kind: 'json', value: reading.model.input } });
    };
  return {
    steps: ids.flatMap((id) => [read(`read ${id}`, { path: modelPath(id) }), stepFrom(`run ${id}`, runOf(id))]),
  };
};

export const schemaOfModelRules: readonly Rule[] = [
  defineRule({
    id: 'schema-document.modified.answers-the-tag-of-another-model',
    family,
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    needs,
    api,
    appliesTo,
    probe: withForeignTag,
    judge: requireWhole,
  }),
  defineRule({
    id: 'schema-document.not-modified.each-time',
    family,
    requirements: ['MR-SCH-12'],
    needs,
    api,
    appliesTo,
    probe: repeatedly,
    judge: (evidence) =>
      times
        .filter((name) => wasAnswered(evidence, name))
        .flatMap((name) => requireStatus(responseOf(evidence, name), 304)),
  }),
  toldRule({
    id: 'schema-document.content.is-what-inputs-are-judged-by',
    family,
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-27'],
    probe: asDocumented,
    judge: (evidence, { survey }) => {
      const refused = survey.listed
        .slice(0, modelsAtMost)
        .filter((id) => wasAnswered(evidence, `run ${id}`) && responseOf(evidence, `run ${id}`).status === 422);
      return refused.map((id) => {
        const step = `run ${id}`;
        const said = { expected: 'its document followed', actual: excerpt(textOf(responseOf(evidence, step))) };
        return finding('status-unexpected', { step }, said);
      });
    },
  }),
];
