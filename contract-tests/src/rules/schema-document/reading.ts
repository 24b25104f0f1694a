import type { ProbeContext } from '../../contract/context.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { SetupFailure } from '../../contract/errors.ts';
import { readHeader, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { finding } from '../../contract/finding.ts';
import type { Probe, ProbeRequest, Step } from '../../contract/probe.ts';
import { defineFamily } from '../../contract/rule.ts';
import { authentication, credential, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import { unknownModel } from '../builders/not-found-rules.ts';
import * as send from '../builders/send.ts';

type Model = { readonly path: string };

export function readDocument(name: string, { path }: Model): Step {
  return send.step(name, send.get('router', `${path}/openapi.json`));
}

/** Each under `read` and the model's id, and all at once. */
export function readDocuments(ids: readonly string[]): readonly Step[] {
  return ids.map((id) => ({ ...readDocument(`read ${id}`, { path: send.modelPath(id) }), alongside: true }));
}

export type MakeTag = (tag: string) => string | undefined;
type Asked = Pick<ProbeRequest, 'credentials'> & { readonly to: string; readonly from?: string };

/**
 * A request under a condition made of the tag of an earlier step; left out when nothing can be made of it. The document `read` has a
 * tag, or the rule cannot be checked.
 */
export function conditional(name: string, make: MakeTag, { to, from = 'read', ...whose }: Asked): Step {
  return send.step(name, (earlier): ProbeRequest | undefined => {
    const tag = wasAnswered(earlier, from) ? readHeader(readResponse(earlier, from), 'etag')?.trim() : undefined;
    if (tag === undefined && from === 'read') throw new SetupFailure('step "read" gave no ETag');
    const made = tag === undefined ? undefined : make(tag);
    return made === undefined ? undefined : send.get('router', to, { headers: [['If-None-Match', made]], ...whose });
  });
}

/** Any model, also when the schemas of none are usable. */
function anyModel({ discovery }: ProbeContext): Model {
  const usable = discovery.models.authored ?? discovery.models.unauthored ?? discovery.models.binary;
  if (usable !== undefined) return usable;
  const first = discovery.listed.find((id) => id.includes('/'));
  if (first === undefined) throw new NotApplicable('the catalog lists no model');
  return { path: send.modelPath(first) };
}

/** Two documents have one tag exactly when their bytes are the same (MR-SCH-09). */
const expectTagOfBytes: expect.Expectation = (response, _, evidence) => {
  const first = readResponse(evidence, 'read');
  const [tag = 'absent', other = 'absent'] = [first, response].map((one) => readHeader(one, 'etag'));
  const isSame = expect.hasSameBytes(first, response);
  if ((tag === other) === isSame) return [];
  const expected = isSame ? 'one tag for equal bytes' : 'another tag for other bytes';
  return [finding('values-differ', { step: response.step, header: 'ETag' }, expected, `${tag} and ${other}`)];
};

export const schemaReadingRules = defineFamily({
  probe: (context) => [readDocument('read', anyModel(context))],
})({
  'schema-document.read.is-a-json-object': {
    // Repeats passive.body.schema-document, because rules on tags mean nothing without a document.
    sentence: 'The schema document of a model is a JSON object.',
    requirements: ['MR-SCH-04'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: expect.on('read', expect.status(200, expect.member('', expect.object))),
  },
  'schema-document.etag.is-strong': {
    // Repeats passive.header.entity-tag, because conditional requests mean nothing without such a tag.
    sentence: 'A schema document comes with a strong entity tag.',
    requirements: ['MR-SCH-06', 'MR-SCH-08', 'MR-HDR-23'],
    requiredOf: ['mock', 'sandbox', 'live'],
    needs: ['schema-document.read.is-a-json-object'],
    check: expect.on('read', expect.header('ETag', expect.strongEntityTag)),
  },
  'schema-document.etag.follows-the-bytes': {
    sentence: 'The same bytes of a schema document have the same entity tag, other bytes another.',
    requirements: ['MR-SCH-09'],
    needs: ['schema-document.etag.is-strong'],
    requires: [state],
    probe: (context) => {
      const model = context.authored;
      const other = { path: send.otherModelPath(context, model) };
      return [readDocument('read', model), readDocument('same', model), readDocument('other', other)];
    },
    check: expect.on(['same', 'other'], expectTagOfBytes),
  },
  'schema-document.unknown.is-not-found': {
    sentence: 'The schema document of an unknown model answers 404 model_not_found.',
    requirements: ['MR-SCH-20', 'MR-STC-05', 'MR-CTG-10'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    ...unknownModel('GET', '/openapi.json'),
  },
});

const itself: MakeTag = (tag) => tag;
const star: MakeTag = () => '*';

/** Tags that were never given, however similar: a strong tag is compared character by character. */
const similar: Readonly<Record<string, MakeTag>> = {
  'in-other-case': (tag) => (tag === swapCase(tag) ? undefined : swapCase(tag)),
  'cut-short': (tag) => (tag.length > 3 ? `${tag.slice(0, -2)}"` : undefined),
  'with-more-behind': (tag) => `${tag.slice(0, -1)}0"`,
};

function swapCase(tag: string): string {
  return tag.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Reads the document of the authored model, then asks for it again in these ways. */
const documentThen =
  (again: (to: string, context: ProbeContext) => readonly Step[]) =>
  (context: ProbeContext): Probe => [
    readDocument('read', context.authored),
    ...again(`${context.authored.path}/openapi.json`, context),
  ];
const askEach = (tags: Readonly<Record<string, MakeTag>>) =>
  documentThen((to) => Object.entries(tags).map(([name, make]) => conditional(name, make, { to })));

const current = { once: itself, twice: itself, thrice: itself };
const odd = { weak: (tag: string) => `W/${tag}`, star, list: (tag: string) => `"another", ${tag}` };

const compressed = ['Accept-Encoding', 'gzip'] as const;

/** As most clients ask: a proxy that compresses the document may give it another tag, or a weak one. */
function readCompressed({ authored }: ProbeContext): Probe {
  const to = `${authored.path}/openapi.json`;
  return [
    send.step('compressed', send.get('router', to, { headers: [compressed] })),
    send.step('again', (earlier): ProbeRequest | undefined => {
      const tag = readHeader(readResponse(earlier, 'compressed'), 'etag')?.trim();
      return tag === undefined ? undefined : send.get('router', to, { headers: [compressed, ['If-None-Match', tag]] });
    }),
  ];
}

const revalidationRules = defineFamily({
  requires: [state],
  requiredOf: ['sandbox', 'live'],
  needs: ['schema-document.etag.is-strong'],
  probe: askEach({ again: itself }),
})({
  'schema-document.not-modified.answers-the-same-tag': {
    sentence: 'A request with the current entity tag in If-None-Match answers 304 without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13'],
    check: expect.on('again', expect.status(304, expect.emptyBody)),
  },
  'schema-document.compressed.is-revalidated': {
    sentence:
      'A schema document that a client accepts compressed has a strong entity tag as well, which is answered with 304.',
    requirements: ['MR-SCH-08', 'MR-SCH-12', 'MR-HDR-23'],
    probe: readCompressed,
    check: expect.first(
      expect.on('compressed', expect.status(200, expect.header('ETag', expect.strongEntityTag))),
      expect.on('again', expect.status(304)),
    ),
  },
  'schema-document.not-modified.repeats-the-tag': {
    sentence: 'A 304 repeats the entity tag.',
    requirements: ['MR-SCH-15'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: expect.on('again', (response, context, evidence) => {
      const tag = readHeader(readResponse(evidence, 'read'), 'etag') ?? '';
      return expect.header('ETag', { expected: tag, is: (value) => value === tag })(response, context, evidence);
    }),
  },
  'schema-document.modified.answers-a-stale-tag': {
    sentence: 'An entity tag that is not current is answered with 200 and the document.',
    requirements: ['MR-SCH-12'],
    probe: askEach({ stale: (tag) => tag.replace(/"$/, '-stale"') }),
    check: expect.on('stale', expect.status(200, expect.sameBytes('read'))),
  },
  'schema-document.conditional.weak-tag-and-star': {
    sentence: 'What a weak entity tag and a star in If-None-Match do is noted.',
    observes: true,
    requirements: ['MR-SCH-12'],
    probe: askEach(odd),
    check: expect.leftOpen(Object.keys(odd), (evidence) => {
      const [weak, star, list] = Object.keys(odd).map((name) => readResponse(evidence, name).status);
      return `the weak form is answered with ${weak}, * with ${star}, a list with ${list} (OP-028)`;
    }),
  },
});

const conditionalRules = defineFamily({
  requires: [state],
  needs: ['schema-document.not-modified.answers-the-same-tag'],
})({
  'schema-document.not-modified.each-time': {
    sentence: 'The current entity tag is answered with 304 every time.',
    requirements: ['MR-SCH-12'],
    probe: askEach(current),
    check: expect.on(Object.keys(current), expect.status(304)),
  },
  'schema-document.modified.answers-the-tag-of-another-model': {
    sentence: "The entity tag of another model's document is answered with 200.",
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    probe: documentThen((_, context) => {
      const path = send.otherModelPath(context, context.authored);
      return [readDocument('other', { path }), conditional('foreign-tag', itself, { to: `${path}/openapi.json` })];
    }),
    check: expect.unless(
      (evidence) => expect.hasSameBytes(readResponse(evidence, 'read'), readResponse(evidence, 'other')),
      [],
      expect.on('foreign-tag', expect.status(200, expect.sameBytes('other'))),
    ),
  },
  'schema-document.conditional.concerns-no-other-route': {
    sentence: 'If-None-Match changes nothing on routes other than schema documents.',
    requirements: ['MR-SCH-23'],
    requiredOf: ['sandbox', 'live'],
    needs: [],
    // With `*`, with the tag of the model's document, and with a tag of the route's own should it give one.
    probe: (context) => {
      const model = context.authored;
      const routes = { list: '/v2/models', detail: model.path };
      return [
        readDocument('read', model),
        send.list('first-list'),
        ...Object.entries(routes).flatMap(([name, to]) => [
          conditional(`${name}-star`, star, { to }),
          conditional(`${name}-tag`, itself, { to }),
        ]),
        conditional('list-own', itself, { to: routes.list, from: 'first-list' }),
      ];
    },
    check: expect.ifSent(['list-star', 'list-tag', 'list-own', 'detail-star', 'detail-tag'], expect.status(200)),
  },
  'schema-document.conditional.concerns-no-queue-route': {
    sentence: 'If-None-Match changes nothing on the routes of queued requests.',
    requirements: ['MR-SCH-23'],
    needs: [],
    cost: 'billed',
    probe: (context) => {
      const asked = (name: string, member: string): Step =>
        send.step(name, (earlier) =>
          send.get('router', send.urlFrom(earlier, 'submit', member), { headers: [['If-None-Match', '*']] }),
        );
      return [
        send.submitted(context, 'submit', 'plain'),
        asked('status', '/status_url'),
        asked('collect', '/response_url'),
      ];
    },
    check: expect.on(['status', 'collect'], expect.notStatus([304], 'the condition ignored')),
  },
  'schema-document.modified.answers-a-tag-that-is-only-alike': {
    sentence: 'An entity tag that only resembles the current one is answered with 200.',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    probe: askEach(similar),
    check: expect.ifSent(Object.keys(similar), expect.status(200, expect.sameBytes('read'))),
  },
  'schema-document.not-modified.under-a-token': {
    sentence: 'A bearer token gets 304 for the current entity tag, as an API key does.',
    requirements: ['MR-SCH-12', 'MR-AUT-04'],
    probe: documentThen((to) => [conditional('token', itself, { to, ...send.withToken('main') })]),
    check: expect.ifSent('token', expect.status(304)),
  },
  'schema-document.conditional.unlocks-nothing': {
    concern: 'access',
    sentence: 'A current entity tag without a valid credential is refused with 401, not answered with 304.',
    requirements: ['MR-SCH-18', 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-SCH-20'],
    requires: [state, authentication],
    probe: documentThen((to, context) => [
      conditional('anonymous', itself, { to, credentials: [] }),
      conditional('wrong-key', star, { to, ...send.asCaller('wrong') }),
      conditional('unknown-model', star, { to: `${send.unknownSiblingPath(context.authored)}/openapi.json` }),
    ]),
    check: expect.all(
      expect.ifSent(['anonymous', 'wrong-key'], expect.status(401)),
      expect.ifSent('unknown-model', expect.status(404)),
    ),
  },
  'schema-document.conditional.unlocks-nothing-for-the-barred': {
    concern: 'access',
    sentence: 'A current entity tag does not replace access to the API; 403 is answered, not 304.',
    requirements: ['MR-SCH-19', 'MR-AUT-08'],
    // Where such a caller may read documents, the condition is met.
    needs: ['authentication.no-access.is-forbidden.schema-document'],
    requires: [state, ...credential('router', 'noAccess')],
    probe: documentThen((to) => [conditional('barred', itself, { to, ...send.asCaller('noAccess') })]),
    check: expect.ifSent('barred', expect.status(403)),
  },
});

export const schemaConditionalRules = [...revalidationRules, ...conditionalRules];
