import { headerOf, responseOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { finding, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, stepFrom, urlFrom } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { list, schemaDocumentPath, submitted, unknownModelOf } from '../vocabulary/router-steps.ts';
import { read } from './caching.ts';

const family = 'schema-document';
const api = 'router';
const appliesTo = hasCapability('state');
const needs = ['schema-document.not-modified.answers-the-same-tag'];

function tagOf(earlier: Evidence, from: string): string | undefined {
  return wasAnswered(earlier, from) ? headerOf(responseOf(earlier, from), 'etag')?.trim() : undefined;
}

type Asked = { readonly to: string; readonly credentials?: readonly CredentialUse[] };

/** Asks under a condition that is made of the document's tag; not at all where nothing can be made of it. */
function under(name: string, make: (tag: string) => string | undefined, asked: Asked): Step {
  return stepFrom(name, (earlier): ProbeRequest | undefined => {
    const tag = tagOf(earlier, 'read');
    const made = tag === undefined ? undefined : make(tag);
    if (made === undefined) return undefined;
    const whose = asked.credentials === undefined ? {} : { credentials: asked.credentials };
    return get(api, asked.to, { headers: [['If-None-Match', made]], ...whose });
  });
}

const itself = (tag: string): string => tag;
const star = (): string => '*';

/** Tags that were never given, alike as they may be; a strong tag is compared to the letter. */
const alike: Readonly<Record<string, (tag: string) => string | undefined>> = {
  'in-other-case': (tag) => (tag === swapCase(tag) ? undefined : swapCase(tag)),
  'cut-short': (tag) => (tag.length > 3 ? `${tag.slice(0, -2)}"` : undefined),
  'with-more-behind': (tag) => `${tag.slice(0, -1)}0"`,
};

function swapCase(tag: string): string {
  return tag.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function statusesOf(evidence: Evidence, wanted: Readonly<Record<string, number>>): readonly Draft[] {
  return Object.entries(wanted)
    .filter(([name]) => wasAnswered(evidence, name))
    .flatMap(([name, status]) => requireStatus(responseOf(evidence, name), status));
}

/** With `*`, with the tag of the model's document, and with a tag of the route's own should it give one. */
const elsewhere = (context: ProbeContext): Probe => {
  const model = context.model('authored');
  const routes = { list: '/v2/models', detail: model.path };
  return {
    steps: [
      read('read', model),
      list('first-list'),
      ...Object.entries(routes).flatMap(([name, to]) => [
        under(`${name}-star`, star, { to }),
        under(`${name}-tag`, itself, { to }),
      ]),
      stepFrom('list-own', (earlier) => {
        const own = tagOf(earlier, 'first-list');
        return own === undefined ? undefined : get(api, '/v2/models', { headers: [['If-None-Match', own]] });
      }),
    ],
  };
};

const queueToo = (context: ProbeContext): Probe => {
  const asked = (name: string, member: string): Step =>
    stepFrom(name, (earlier) => get(api, urlFrom(earlier, 'submit', member), { headers: [['If-None-Match', '*']] }));
  return { steps: [submitted(context), asked('status', '/status_url'), asked('collect', '/response_url')] };
};

export const schemaConditionalRules: readonly Rule[] = [
  defineRule({
    id: 'schema-document.conditional.concerns-no-other-route',
    family,
    requirements: ['MR-SCH-23'],
    api,
    appliesTo,
    probe: elsewhere,
    judge: (evidence) =>
      statusesOf(evidence, {
        ...{ 'list-star': 200, 'list-tag': 200, 'list-own': 200 },
        ...{ 'detail-star': 200, 'detail-tag': 200 },
      }),
  }),
  defineRule({
    id: 'schema-document.conditional.concerns-no-queue-route',
    family,
    requirements: ['MR-SCH-23'],
    api,
    cost: 'billed',
    appliesTo,
    probe: queueToo,
    judge: (evidence) =>
      ['status', 'collect']
        .filter((name) => responseOf(evidence, name).status === 304)
        .map((name) =>
          finding('status-unexpected', { step: name }, { expected: 'the condition overlooked', actual: '304' }),
        ),
  }),
  defineRule({
    id: 'schema-document.modified.answers-a-tag-that-is-only-alike',
    family,
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    needs,
    api,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      const to = schemaDocumentPath(model);
      return {
        steps: [read('read', model), ...Object.entries(alike).map(([name, make]) => under(name, make, { to }))],
      };
    },
    judge: (evidence) =>
      Object.keys(alike)
        .filter((name) => wasAnswered(evidence, name))
        .flatMap((name) => {
          const status = requireStatus(responseOf(evidence, name), 200);
          return status.length > 0
            ? status
            : requireSameBytes(responseOf(evidence, name), responseOf(evidence, 'read'));
        }),
  }),
  defineRule({
    id: 'schema-document.not-modified.under-a-token',
    family,
    requirements: ['MR-SCH-12', 'MR-AUT-04'],
    needs,
    api,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      const credentials = [{ as: 'bearer', who: 'main' }] as const;
      return { steps: [read('read', model), under('token', itself, { to: schemaDocumentPath(model), credentials })] };
    },
    judge: (evidence) => statusesOf(evidence, { token: 304 }),
  }),
  defineRule({
    id: 'schema-document.conditional.unlocks-nothing',
    family,
    requirements: ['MR-SCH-18', 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-SCH-20'],
    needs,
    api,
    appliesTo: allOf(appliesTo, hasCapability('authentication')),
    probe: (context) => {
      const model = context.model('authored');
      const to = schemaDocumentPath(model);
      return {
        steps: [
          read('read', model),
          under('anonymous', itself, { to, credentials: [] }),
          under('wrong-key', star, { to, credentials: [{ as: 'api-key', who: 'wrong' }] }),
          under('unknown-model', star, { to: `${unknownModelOf(model)}/openapi.json` }),
        ],
      };
    },
    judge: (evidence) => statusesOf(evidence, { anonymous: 401, 'wrong-key': 401, 'unknown-model': 404 }),
  }),
  defineRule({
    id: 'schema-document.conditional.unlocks-nothing-for-the-barred',
    family,
    requirements: ['MR-SCH-19', 'MR-AUT-08'],
    needs,
    api,
    appliesTo: allOf(appliesTo, hasCredential('router', 'noAccess')),
    probe: (context) => {
      const model = context.model('authored');
      const credentials = [{ as: 'api-key', who: 'noAccess' }] as const;
      return { steps: [read('read', model), under('barred', itself, { to: schemaDocumentPath(model), credentials })] };
    },
    judge: (evidence) => statusesOf(evidence, { barred: 403 }),
  }),
];
