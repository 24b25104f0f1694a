import type { JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, jsonOf, mediaTypeOf, memberOf, responseOf, textOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { finding, requireJson, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { allOf, hasCapability, hasJob, type JobName, type TargetKind } from '../../target.ts';
import { exactly, object, oneOf } from '../vocabulary/matchers.ts';
import { readJob, workflowOf } from './steps.ts';

const family = 'workflow';
const api = 'workflow';
const found = 'workflow.job.answers-with-json';
const needs = [found];
const jobs = ['save', 'api'] as const satisfies readonly JobName[];

const readBoth = (context: ProbeContext): Probe => ({ steps: jobs.map((name) => readJob(name, context)) });
const readOne =
  (name: JobName) =>
  (context: ProbeContext): Probe => ({ steps: [readJob(name, context)] });

function jsonFindings(answer: Answer): readonly Draft[] {
  const isJson = /(?:^application\/json|\+json)$/.test(mediaTypeOf(answer) ?? '');
  const at = { step: answer.step, header: 'Content-Type' };
  const said = { expected: 'a JSON media type', actual: mediaTypeOf(answer) ?? 'absent' };
  return [...(isJson ? [] : [finding('media-type-unexpected', at, said)]), ...requireJson(answer)];
}

/** WX-JWF-19: the member at any depth; its content is never repeated in a finding. */
function extraDataIn(value: JsonValue, pointer: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'extra_data' ? [`${pointer}/${name}`] : extraDataIn(inner, `${pointer}/${name}`),
  );
}

/** A sandbox lets every secret of its fixtures start like this; whatever it is called there, it came from extra_data. */
const sandboxSecret = 'sk-sandbox-';

function leakFindings(answer: Answer, kind: TargetKind): readonly Draft[] {
  const said = { expected: 'no extra_data', actual: 'present' };
  const parsed = jsonOf(answer);
  const named = parsed.kind === 'malformed' ? [] : extraDataIn(parsed.value, '');
  const isLeaked = kind === 'sandbox' && textOf(answer).includes(sandboxSecret);
  const findings = named.map((pointer) => finding('secret-echoed', { step: answer.step, pointer }, said));
  return findings.length === 0 && isLeaked ? [finding('secret-echoed', { step: answer.step }, said)] : findings;
}

export const workflowAnswerRules: readonly Rule[] = [
  defineRule({
    id: found,
    family,
    requirements: ['WX-JWF-04'],
    api,
    appliesTo: hasJob('save', 'api'),
    probe: readBoth,
    judge: (evidence) =>
      jobs.flatMap((name) => {
        const answer = responseOf(evidence, name);
        const status = requireStatus(answer, 200);
        return status.length > 0 ? status : jsonFindings(answer);
      }),
  }),
  defineRule({
    id: 'workflow.job.holds-a-workflow-object',
    family,
    requirements: ['WX-JWF-05'],
    needs,
    api,
    appliesTo: hasJob('save', 'api'),
    probe: readBoth,
    judge: (evidence) => jobs.flatMap((name) => requireMember(responseOf(evidence, name), '/workflow', object)),
  }),
  defineRule({
    id: 'workflow.job.names-its-format',
    family,
    requirements: ['WX-JWF-09', 'WX-JWF-10'],
    needs,
    api,
    appliesTo: hasJob('save', 'api'),
    probe: readBoth,
    judge: (evidence) =>
      jobs.flatMap((name) => requireMember(responseOf(evidence, name), '/format', oneOf('save', 'api'))),
  }),
  defineRule({
    id: 'workflow.job.pinned-gives-save',
    family,
    requirements: ['WX-JWF-11', 'WX-JWF-23', 'WX-JWF-25'],
    needs: ['workflow.job.names-its-format'],
    api,
    appliesTo: allOf(hasCapability('state'), hasJob('save')),
    probe: readOne('save'),
    judge: (evidence, { kind }) => {
      const answer = responseOf(evidence, 'save');
      // A pinned job falls back to api when its version became unreadable (WX-JWF-30); only a sandbox is sure to keep it.
      if (kind === 'sandbox') return requireMember(answer, '/format', exactly('save'));
      return {
        kind: 'observed',
        observation: `the pinned job answers with format ${String(memberOf(answer, '/format'))}`,
      };
    },
  }),
  defineRule({
    id: 'workflow.job.submitted-gives-api',
    family,
    requirements: ['WX-JWF-23', 'WX-JWF-25', 'WX-JWF-27'],
    needs: ['workflow.job.names-its-format'],
    api,
    appliesTo: allOf(hasCapability('state'), hasJob('api')),
    probe: readOne('api'),
    judge: (evidence, { kind }) => {
      const answer = responseOf(evidence, 'api');
      // C-61: this is to change once submission can pin a version, so a live save is noted, not failed.
      if (kind === 'sandbox') return requireMember(answer, '/format', exactly('api'));
      return {
        kind: 'observed',
        observation: `the submitted job answers with format ${String(memberOf(answer, '/format'))}`,
      };
    },
  }),
  defineRule({
    id: 'workflow.job.never-holds-extra-data',
    family,
    requirements: ['WX-JWF-19'],
    needs,
    api,
    appliesTo: hasJob('save', 'api'),
    probe: readBoth,
    judge: (evidence, { kind }) => jobs.flatMap((name) => leakFindings(responseOf(evidence, name), kind)),
  }),
  defineRule({
    id: 'workflow.job.format-is-not-the-callers-choice',
    family,
    requirements: ['WX-JWF-23', 'WX-JWF-24'],
    needs: ['workflow.job.names-its-format'],
    api,
    appliesTo: allOf(hasCapability('state'), hasJob('save', 'api')),
    probe: (context) => ({
      steps: jobs.flatMap((name) => {
        const asked = name === 'save' ? 'api' : 'save';
        const asking = workflowOf(`${name}-asking-${asked}`, context.job(name), {}, `?format=${asked}`);
        return [readJob(name, context), asking];
      }),
    }),
    judge: (evidence) =>
      jobs.flatMap((name) => {
        const format = memberOf(responseOf(evidence, name), '/format');
        const asked = name === 'save' ? 'api' : 'save';
        const again = responseOf(evidence, `${name}-asking-${asked}`);
        return format === undefined || again.status !== 200 ? [] : requireMember(again, '/format', exactly(format));
      }),
  }),
];
