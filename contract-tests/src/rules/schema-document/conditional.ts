import type { ProbeContext } from '../../contract/context.ts';
import { readHeader, readResponse } from '../../contract/evidence.ts';
import type { Probe, Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { get, step, urlFrom } from '../../contract/steps.ts';
import { authentication, credential, state } from '../../requires.ts';
import { allChecks, leftOpen, onResponse, onResponseIfSent, unless } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { asCaller, list, otherModelPath, submitted, unknownSiblingPath, withToken } from '../builders/router-steps.ts';
import { expectSameBytes, hasSameBytes } from '../builders/same-response.ts';
import { conditional, type MakeTag, readDocument } from './reading.ts';

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

/** With `*`, with the tag of the model's document, and with a tag of the route's own should it give one. */
const onOtherRoutes = (context: ProbeContext): Probe => {
  const model = context.authored;
  const routes = { list: '/v2/models', detail: model.path };
  return [
    readDocument('read', model),
    list('first-list'),
    ...Object.entries(routes).flatMap(([name, to]) => [
      conditional(`${name}-star`, star, { to }),
      conditional(`${name}-tag`, itself, { to }),
    ]),
    conditional('list-own', itself, { to: routes.list, from: 'first-list' }),
  ];
};

const onQueueRoutes = (context: ProbeContext): Probe => {
  const asked = (name: string, member: string): Step =>
    step(name, (earlier) => get('router', urlFrom(earlier, 'submit', member), { headers: [['If-None-Match', '*']] }));
  return [submitted(context, 'submit', 'plain'), asked('status', '/status_url'), asked('collect', '/response_url')];
};

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

const revalidation: Family = {
  requires: [state],
  requiredOf: ['sandbox', 'live'],
  needs: ['schema-document.etag.is-strong'],
  probe: askEach({ again: itself }),
};

const revalidationRules = defineFamily(revalidation, {
  'schema-document.not-modified.answers-the-same-tag': {
    sentence: 'A request with the current entity tag in If-None-Match answers 304 without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13'],
    check: onResponse('again', expect.status(304, expect.emptyBody)),
  },
  'schema-document.not-modified.repeats-the-tag': {
    sentence: 'A 304 repeats the entity tag.',
    requirements: ['MR-SCH-15'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: onResponse('again', (response, context, evidence) => {
      const tag = readHeader(readResponse(evidence, 'read'), 'etag') ?? '';
      return expect.header('ETag', { expected: tag, is: (value) => value === tag })(response, context, evidence);
    }),
  },
  'schema-document.modified.answers-a-stale-tag': {
    sentence: 'An entity tag that is not current is answered with 200 and the document.',
    requirements: ['MR-SCH-12'],
    probe: askEach({ stale: (tag) => tag.replace(/"$/, '-stale"') }),
    check: onResponse('stale', expect.status(200, expectSameBytes('read'))),
  },
  'schema-document.conditional.weak-tag-and-star': {
    sentence: 'What a weak entity tag and a star in If-None-Match do is noted.',
    requirements: ['MR-SCH-12'],
    probe: askEach(odd),
    check: leftOpen(Object.keys(odd), (evidence) => {
      const [weak, star, list] = Object.keys(odd).map((name) => readResponse(evidence, name).status);
      return `the weak form is answered with ${weak}, * with ${star}, a list with ${list} (NS-28)`;
    }),
  },
});

const schemaConditional: Family = {
  requires: [state],
  needs: ['schema-document.not-modified.answers-the-same-tag'],
};

const conditionalRules = defineFamily(schemaConditional, {
  'schema-document.not-modified.each-time': {
    sentence: 'The current entity tag is answered with 304 every time.',
    requirements: ['MR-SCH-12'],
    probe: askEach(current),
    check: onResponse(Object.keys(current), expect.status(304)),
  },
  'schema-document.modified.answers-the-tag-of-another-model': {
    sentence: "The entity tag of another model's document is answered with 200.",
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    probe: documentThen((_, context) => {
      const path = otherModelPath(context, context.authored);
      return [readDocument('other', { path }), conditional('foreign-tag', itself, { to: `${path}/openapi.json` })];
    }),
    check: unless(
      (evidence) => hasSameBytes(readResponse(evidence, 'read'), readResponse(evidence, 'other')),
      [],
      onResponse('foreign-tag', expect.status(200, expectSameBytes('other'))),
    ),
  },
  'schema-document.conditional.concerns-no-other-route': {
    sentence: 'If-None-Match changes nothing on routes other than schema documents.',
    requirements: ['MR-SCH-23'],
    requiredOf: ['sandbox', 'live'],
    needs: [],
    probe: onOtherRoutes,
    check: onResponseIfSent(['list-star', 'list-tag', 'list-own', 'detail-star', 'detail-tag'], expect.status(200)),
  },
  'schema-document.conditional.concerns-no-queue-route': {
    sentence: 'If-None-Match changes nothing on the routes of queued requests.',
    requirements: ['MR-SCH-23'],
    needs: [],
    cost: 'billed',
    probe: onQueueRoutes,
    check: onResponse(
      ['status', 'collect'],
      expect.statusThat((status) => status !== 304, 'the condition ignored'),
    ),
  },
  'schema-document.modified.answers-a-tag-that-is-only-alike': {
    sentence: 'An entity tag that only resembles the current one is answered with 200.',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    probe: askEach(similar),
    check: onResponseIfSent(Object.keys(similar), expect.status(200, expectSameBytes('read'))),
  },
  'schema-document.not-modified.under-a-token': {
    sentence: 'A bearer token gets 304 for the current entity tag, as an API key does.',
    requirements: ['MR-SCH-12', 'MR-AUT-04'],
    probe: documentThen((to) => [conditional('token', itself, { to, ...withToken('main') })]),
    check: onResponseIfSent('token', expect.status(304)),
  },
  'schema-document.conditional.unlocks-nothing': {
    sentence: 'A current entity tag without a valid credential is refused with 401, not answered with 304.',
    requirements: ['MR-SCH-18', 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-SCH-20'],
    requires: [state, authentication],
    probe: documentThen((to, context) => [
      conditional('anonymous', itself, { to, credentials: [] }),
      conditional('wrong-key', star, { to, ...asCaller('wrong') }),
      conditional('unknown-model', star, { to: `${unknownSiblingPath(context.authored)}/openapi.json` }),
    ]),
    check: allChecks(
      onResponseIfSent(['anonymous', 'wrong-key'], expect.status(401)),
      onResponseIfSent('unknown-model', expect.status(404)),
    ),
  },
  'schema-document.conditional.unlocks-nothing-for-the-barred': {
    sentence: 'A current entity tag does not replace access to the API; 403 is answered, not 304.',
    requirements: ['MR-SCH-19', 'MR-AUT-08'],
    // Where such a caller may read documents, the condition is met.
    needs: ['authentication.no-access.is-forbidden.schema-document'],
    requires: [state, ...credential('router', 'noAccess')],
    probe: documentThen((to) => [conditional('barred', itself, { to, ...asCaller('noAccess') })]),
    check: onResponseIfSent('barred', expect.status(403)),
  },
});

export const schemaConditionalRules: readonly Rule[] = [...revalidationRules, ...conditionalRules];
