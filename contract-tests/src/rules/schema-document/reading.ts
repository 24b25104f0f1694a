import type { ProbeContext } from '../../contract/context.ts';
import { NoOccasion, SetupFailure } from '../../contract/errors.ts';
import { readHeader, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { finding } from '../../contract/finding.ts';
import type { ProbeRequest, Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { get, modelPath, step } from '../../contract/steps.ts';
import { state } from '../../requires.ts';
import { type Expectation, onResponse } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { unknownModel } from '../builders/not-found-rules.ts';
import { otherModelPath } from '../builders/router-steps.ts';
import { hasSameBytes } from '../builders/same-response.ts';

type Model = { readonly path: string };

export function readDocument(name: string, { path }: Model): Step {
  return step(name, get('router', `${path}/openapi.json`));
}

/** Each under `read` and the model's id, and all at once. */
export function readDocuments(ids: readonly string[]): readonly Step[] {
  return ids.map((id) => ({ ...readDocument(`read ${id}`, { path: modelPath(id) }), alongside: true }));
}

export type MakeTag = (tag: string) => string | undefined;
type Asked = Pick<ProbeRequest, 'credentials'> & { readonly to: string; readonly from?: string };

/**
 * A request under a condition made of the tag of an earlier step; left out when nothing can be made of it. The document `read` has a
 * tag, or the rule cannot be checked.
 */
export function conditional(name: string, make: MakeTag, { to, from = 'read', ...whose }: Asked): Step {
  return step(name, (earlier): ProbeRequest | undefined => {
    const tag = wasAnswered(earlier, from) ? readHeader(readResponse(earlier, from), 'etag')?.trim() : undefined;
    if (tag === undefined && from === 'read') throw new SetupFailure('step "read" gave no ETag');
    const made = tag === undefined ? undefined : make(tag);
    return made === undefined ? undefined : get('router', to, { headers: [['If-None-Match', made]], ...whose });
  });
}

/** Any model, also when the schemas of none are usable. */
function anyModel({ discovery }: ProbeContext): Model {
  const usable = discovery.models.authored ?? discovery.models.unauthored ?? discovery.models.binary;
  if (usable !== undefined) return usable;
  const first = discovery.listed.find((id) => id.includes('/'));
  if (first === undefined) throw new NoOccasion('the catalog lists no model');
  return { path: modelPath(first) };
}

/** Two documents have one tag exactly when their bytes are the same (MR-SCH-09). */
const expectTagOfBytes: Expectation = (response, _, evidence) => {
  const first = readResponse(evidence, 'read');
  const [tag = 'absent', other = 'absent'] = [first, response].map((one) => readHeader(one, 'etag'));
  const isSame = hasSameBytes(first, response);
  if ((tag === other) === isSame) return [];
  const expected = isSame ? 'one tag for equal bytes' : 'another tag for other bytes';
  return [finding('values-differ', { step: response.step, header: 'ETag' }, expected, `${tag} and ${other}`)];
};

const reading: Family = { probe: (context) => [readDocument('read', anyModel(context))] };

export const schemaReadingRules: readonly Rule[] = defineFamily(reading, {
  'schema-document.read.is-a-json-object': {
    // Repeats passive.body.schema-document, because rules on tags mean nothing without a document.
    sentence: 'The schema document of a model is a JSON object.',
    requirements: ['MR-SCH-04'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: onResponse('read', expect.status(200, expect.member('', expect.object))),
  },
  'schema-document.etag.is-strong': {
    // Repeats passive.header.entity-tag, because conditional requests mean nothing without such a tag.
    sentence: 'A schema document comes with a strong entity tag.',
    requirements: ['MR-SCH-06', 'MR-SCH-08', 'MR-HDR-23'],
    requiredOf: ['mock', 'sandbox', 'live'],
    needs: ['schema-document.read.is-a-json-object'],
    check: onResponse('read', expect.header('ETag', expect.strongEntityTag)),
  },
  'schema-document.etag.follows-the-bytes': {
    sentence: 'The same bytes of a schema document have the same entity tag, other bytes another.',
    requirements: ['MR-SCH-09'],
    needs: ['schema-document.etag.is-strong'],
    requires: [state],
    probe: (context) => {
      const model = context.authored;
      const other = { path: otherModelPath(context, model) };
      return [readDocument('read', model), readDocument('same', model), readDocument('other', other)];
    },
    check: onResponse(['same', 'other'], expectTagOfBytes),
  },
  'schema-document.unknown.is-not-found': {
    sentence: 'The schema document of an unknown model answers 404 model_not_found.',
    requirements: ['MR-SCH-20', 'MR-STC-05', 'MR-CTG-10'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    ...unknownModel('GET', '/openapi.json'),
  },
});
