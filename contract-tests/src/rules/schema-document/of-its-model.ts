import { headerOf, responseOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes, sameBytes } from '../vocabulary/byte-comparison.ts';
import { otherModelPath, schemaDocumentPath } from '../vocabulary/router-steps.ts';
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
];
