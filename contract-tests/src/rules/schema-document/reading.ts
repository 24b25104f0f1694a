import type { ProbeContext } from '../../contract/context.ts';
import { modelPath } from '../../contract/discovery.ts';
import { NoOccasion, SetupFailure } from '../../contract/errors.ts';
import { readHeader, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { finding } from '../../contract/finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { get, step, stepFrom } from '../../contract/steps.ts';
import { state } from '../../requires.ts';
import { type Expectation, leftOpen, onResponse, unless } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { unknownModel } from '../builders/not-found-rules.ts';
import { otherModelPath } from '../builders/router-steps.ts';
import { expectSameBytes, hasSameBytes } from '../builders/same-response.ts';

type Model = { readonly path: string };

export function readDocument(name: string, { path }: Model): Step {
  return step(name, get('router', `${path}/openapi.json`));
}

/** Each under `read` and the model's id, and all at once. */
export function readDocuments(ids: readonly string[]): readonly Step[] {
  return ids.map((id) => ({ ...readDocument(`read ${id}`, { path: modelPath(id) }), alongside: true }));
}

function readTag(earlier: Evidence, from: string): string | undefined {
  return wasAnswered(earlier, from) ? readHeader(readResponse(earlier, from), 'etag')?.trim() : undefined;
}

export type MakeTag = (tag: string) => string | undefined;
type Asked = Pick<ProbeRequest, 'credentials'> & { readonly to: string; readonly from?: string };

/** A request under a condition made of the tag of an earlier step; left out when nothing can be made of it. */
export function conditional(name: string, make: MakeTag, { to, from = 'read', ...whose }: Asked): Step {
  return stepFrom(name, (earlier): ProbeRequest | undefined => {
    const tag = readTag(earlier, from);
    const made = tag === undefined ? undefined : make(tag);
    return made === undefined ? undefined : get('router', to, { headers: [['If-None-Match', made]], ...whose });
  });
}

/** Asks again under a condition made of the tag of the first response. */
function readAgain(name: string, { path }: Model, made: (tag: string) => string = (tag) => tag): Step {
  return stepFrom(name, (earlier) => {
    const tag = readHeader(readResponse(earlier, 'read'), 'etag');
    if (tag === undefined) throw new SetupFailure('step "read" gave no ETag');
    return get('router', `${path}/openapi.json`, { headers: [['If-None-Match', made(tag)]] });
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
  const [tag, other] = [first, response].map((one) => readHeader(one, 'etag'));
  const isSame = hasSameBytes(first, response);
  if ((tag === other) === isSame) return [];
  const expected = isSame ? 'one tag for equal bytes' : 'another tag for other bytes';
  const actual = `${tag ?? 'absent'} and ${other ?? 'absent'}`;
  return [finding('values-differ', { step: response.step, header: 'ETag' }, expected, actual)];
};

const reading: Family = { probe: (context) => [readDocument('read', anyModel(context))] };

const readingRules = defineFamily(reading, {
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

const revalidated = ({ authored }: ProbeContext): Probe => [
  readDocument('read', authored),
  readAgain('again', authored),
];

const expectSameTag: Expectation = (response, context, evidence) => {
  const tag = readHeader(readResponse(evidence, 'read'), 'etag') ?? '';
  return expect.header('ETag', { expected: tag, is: (value) => value === tag })(response, context, evidence);
};

const times = ['once', 'twice', 'thrice'];

function areSameDocuments(evidence: Evidence): boolean {
  return hasSameBytes(readResponse(evidence, 'read'), readResponse(evidence, 'other'));
}

const revalidation: Family = {
  requires: [state],
  needs: ['schema-document.etag.is-strong'],
  probe: revalidated,
};

const revalidationRules = defineFamily(revalidation, {
  'schema-document.not-modified.answers-the-same-tag': {
    sentence: 'A request with the current entity tag in If-None-Match answers 304 without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13'],
    requiredOf: ['sandbox', 'live'],
    check: onResponse('again', expect.status(304, expect.emptyBody)),
  },
  'schema-document.not-modified.repeats-the-tag': {
    sentence: 'A 304 repeats the entity tag.',
    requirements: ['MR-SCH-15'],
    requiredOf: ['sandbox', 'live'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: onResponse('again', expectSameTag),
  },
  'schema-document.not-modified.each-time': {
    sentence: 'The current entity tag is answered with 304 every time.',
    requirements: ['MR-SCH-12'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    probe: ({ authored }) => [readDocument('read', authored), ...times.map((name) => readAgain(name, authored))],
    check: onResponse(times, expect.status(304)),
  },
  'schema-document.modified.answers-a-stale-tag': {
    sentence: 'An entity tag that is not current is answered with 200 and the document.',
    requirements: ['MR-SCH-12'],
    requiredOf: ['sandbox', 'live'],
    probe: (context) => {
      const model = context.authored;
      const stale = readAgain('stale', model, (tag) => tag.replace(/"$/, '-stale"'));
      return [readDocument('read', model), stale];
    },
    check: onResponse('stale', expect.status(200, expectSameBytes('read'))),
  },
  'schema-document.modified.answers-the-tag-of-another-model': {
    sentence: "The entity tag of another model's document is answered with 200.",
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    probe: (context) => {
      const model = context.authored;
      const other = { path: otherModelPath(context, model) };
      return [readDocument('read', model), readDocument('other', other), readAgain('foreign-tag', other)];
    },
    check: unless(areSameDocuments, [], onResponse('foreign-tag', expect.status(200, expectSameBytes('other')))),
  },
  'schema-document.conditional.weak-tag-and-star': {
    sentence: 'What a weak entity tag and a star in If-None-Match do is noted.',
    requirements: ['MR-SCH-12'],
    requiredOf: ['sandbox', 'live'],
    probe: (context) => {
      const model = context.authored;
      const forms = {
        weak: (tag: string) => `W/${tag}`,
        star: () => '*',
        list: (tag: string) => `"another", ${tag}`,
      };
      return [
        readDocument('read', model),
        ...Object.entries(forms).map(([name, made]) => readAgain(name, model, made)),
      ];
    },
    check: leftOpen(['weak', 'star', 'list'], (evidence) => {
      const [weak, star, list] = ['weak', 'star', 'list'].map((name) => readResponse(evidence, name).status);
      return `the weak form is answered with ${weak}, * with ${star}, a list with ${list} (NS-28)`;
    }),
  },
});

export const schemaReadingRules: readonly Rule[] = [...readingRules, ...revalidationRules];
