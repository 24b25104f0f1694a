import { extensionKey, isJsonObject } from '../../../../specs/src/index.ts';
import { jsonOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, post, stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { modelPath } from '../vocabulary/router-steps.ts';
import { missingWay } from './validation-entries.ts';
import { nestedWrong, type WrongField } from './wrong-fields.ts';

const family = 'errors';
const api = 'router';
const appliesTo = hasCapability('validation');
const documentsAtMost = 60;

type Nesting = 'array' | 'object';
type DeepField = { readonly path: string; readonly wrong: WrongField };

/** The field in the document that was read last: no further one is read once it is found. */
function deepField(evidence: Evidence, { specs }: ProbeContext, kind: Nesting): DeepField | undefined {
  const last = evidence.findLast(({ step }) => step !== 'invalid');
  if (last === undefined) return undefined;
  const parsed = jsonOf(responseOf(evidence, last.step));
  const flag = extensionKey(specs.settings.brand, 'input-schema-authored');
  if (parsed.kind === 'malformed' || !isJsonObject(parsed.value) || parsed.value[flag] !== true) return undefined;
  const wrong = nestedWrong(parsed.value, kind);
  return wrong === undefined ? undefined : { path: modelPath(last.step), wrong };
}

/** Schema documents are read one after the other until one offers a nested field of a model with authored input. */
function deepProbe(context: ProbeContext, kind: Nesting): Probe {
  const reads = context.survey.listed.slice(0, documentsAtMost).map((id, index) =>
    stepFrom(id, (earlier) => {
      const isFound = earlier.length < index || deepField(earlier, context, kind) !== undefined;
      return isFound ? undefined : get(api, `${modelPath(id)}/openapi.json`);
    }),
  );
  const invalid = stepFrom(
    'invalid',
    (earlier) => {
      const deep = deepField(earlier, context, kind);
      return deep === undefined ? undefined : post(api, deep.path, { body: { kind: 'json', value: deep.wrong.input } });
    },
    { mustAnswer: [422] },
  );
  return { steps: [...reads, invalid] };
}

const nestings: readonly { id: string; kind: Nesting; requirement: string }[] = [
  { id: 'errors.validation.loc-leads-from-outside-in', kind: 'object', requirement: 'MR-ERR-13' },
  { id: 'errors.validation.loc-counts-array-elements', kind: 'array', requirement: 'MR-ERR-14' },
];

export const errorValidationPathRules: readonly Rule[] = nestings.map(({ id, kind, requirement }) =>
  defineRule({
    id,
    family,
    requirements: [requirement],
    needs: ['errors.validation.entries-have-their-members'],
    api,
    appliesTo,
    probe: (context) => deepProbe(context, kind),
    judge: (evidence, context) => {
      const deep = deepField(evidence, context, kind);
      if (deep === undefined)
        return { kind: 'not-applicable', because: `no model read has a nested ${kind} to get wrong` };
      return missingWay(responseOf(evidence, 'invalid'), deep.wrong.path);
    },
  }),
);
