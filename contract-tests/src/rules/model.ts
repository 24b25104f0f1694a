import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, resolvePointer } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { allResponses, readMember, readResponse, wasAnswered } from '../contract/evidence.ts';
import { notApplicable, observed } from '../contract/finding.ts';
import type { Evidence, Probe, Step } from '../contract/probe.ts';
import { defineFamily, type Family } from '../contract/rule.ts';
import { state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { unknownModel } from './builders/not-found-rules.ts';
import * as send from './builders/send.ts';
import { amountFindings } from './catalog/pages.ts';
import { readData } from './catalog/walks.ts';
import { hasMembers } from './passive/bodies.ts';

const model: Family = { requires: [state] };

const detail = (name: string, { path }: DiscoveredModel): Step => send.step(name, send.get('router', path));

function discovered({ discovery }: ProbeContext): readonly DiscoveredModel[] {
  return (['authored', 'unauthored', 'binary'] as const).flatMap((kind) => discovery.models[kind] ?? []);
}

function findEntry(evidence: Evidence, id: string) {
  return readData(readResponse(evidence, 'list')).find((entry) => isJsonObject(entry) && entry['id'] === id);
}

const expectAsListed =
  (id: string, ...pointers: readonly string[]): expect.Expectation =>
  (response, _, evidence) => {
    const entry = findEntry(evidence, id);
    if (response.status !== 200 || entry === undefined) return [];
    return pointers.flatMap((pointer) => {
      const wanted = resolvePointer(entry, pointer);
      return typeof wanted === 'string' ? expect.member(pointer, wanted)(response) : [];
    });
  };

/** White space and the order of members are each address's own. */
const expectSameDocument: expect.Expectation = (response, _, evidence) =>
  isDeepStrictEqual(readMember(response, ''), readMember(readResponse(evidence, 'document'), ''))
    ? []
    : expect.wrongAt(response.step, '', "the model's schema document", 'another document');

const policyCharge = '/billing/charges_on_policy_rejection';
const entryMembers = /^(?:\/(?:id|provider|model|billing(?:\/charges_on_policy_rejection)?))?$/;
const sharedMembers = ['/id', '/provider', '/model', policyCharge];

const detailRules = defineFamily({ ...model, requiredOf: ['sandbox', 'live'] })({
  'model.detail.has-the-entry-members': {
    // Repeats passive.body.model-detail, because rules on the detail's values mean nothing without its members.
    sentence: 'Reading a model answers 200 with the members of its catalog entry.',
    requirements: ['MR-MOD-04'],
    requiredOf: ['mock', 'sandbox', 'live'],
    requires: [],
    ...expect.answers(({ authored }) => [detail('detail', authored)], expect.status(200, hasMembers(entryMembers))),
  },
  'model.detail.is-of-the-model-asked-for': {
    sentence: 'Reading a model gives that model and no other.',
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.has-the-entry-members'],
    probe: (context) => discovered(context).map((one) => detail(one.id, one)),
    check: (evidence, context) =>
      discovered(context).flatMap(({ id, provider, model }) =>
        expect.members({ '/id': `${provider}/${model}`, '/provider': provider, '/model': model })(
          readResponse(evidence, id),
        ),
      ),
  },
  'model.detail.schema-url-is-https': {
    // Repeats passive.body.model-detail, because a URL of another form is not followed.
    sentence: 'The schema_url of a model, if it has one, is an HTTPS URL.',
    requirements: ['MR-MOD-06', 'MR-MOD-07'],
    requiredOf: ['mock', 'sandbox', 'live'],
    requires: [],
    needs: ['model.detail.has-the-entry-members'],
    ...expect.answers(
      (context) => discovered(context).map((one) => detail(one.id, one)),
      expect.member('/input_schema_url', {
        expected: 'absent or an HTTPS URL of at most 2048 characters',
        is: (url) => typeof url !== 'string' || (/^https:\/\//i.test(url) && URL.canParse(url) && url.length <= 2048),
      }),
    ),
  },
  'model.detail.schema-url-leads-to-the-document': {
    sentence: 'The schema_url of a model leads to its schema document.',
    requirements: ['MR-MOD-08'],
    reading: 'OP-072',
    requiredOf: ['sandbox'],
    needs: ['model.detail.schema-url-is-https'],
    probe: (context) => [
      detail('detail', context.authored),
      send.step('document', send.get('router', `${context.authored.path}/openapi.json`)),
      // Where else a credential may go is not known (OP-072).
      send.followIfGiven('linked', { of: 'detail', at: '/input_schema_url', only: context.baseUrls.router ?? '' }),
    ],
    check: expect.unless(
      (evidence) => !wasAnswered(evidence, 'linked'),
      observed('no input_schema_url on the address of the target is given (OP-072)'),
      expect.on('linked', expect.status(200, expectSameDocument)),
    ),
  },
  'model.detail.agrees-with-the-listing': {
    sentence: 'Reading a model gives the values that the catalog lists for it.',
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.is-of-the-model-asked-for'],
    probe: (context) => [send.list('list', '?limit=100'), detail('detail', context.authored)],
    check: (evidence, context) => {
      const { id } = context.authored;
      if (findEntry(evidence, id) === undefined) return notApplicable('the model is not on the first page');
      return expect.on('detail', expectAsListed(id, policyCharge))(evidence, context);
    },
  },
  'model.unknown.is-not-found': {
    sentence: 'Reading an unknown model answers 404 model_not_found.',
    requirements: ['MR-MOD-09', 'MR-STC-05', 'MR-CTG-10'],
    ...unknownModel('GET'),
  },
});

const modelsAtMost = 24;

/** Returns an evenly spaced sample of a large catalog. */
function sampled({ discovery }: ProbeContext): readonly string[] {
  const ids = discovery.listed.filter((id) => id.includes('/'));
  if (discovery.isPart) return ids;
  const every = Math.max(1, ids.length / modelsAtMost);
  const places = Array.from({ length: Math.min(ids.length, modelsAtMost) }, (_, index) => Math.floor(index * every));
  return [...new Set([...places.flatMap((place) => ids[place] ?? []), ...ids.slice(-1)])];
}

const eachDetail = (context: ProbeContext): Probe => [
  send.list('list', '?limit=100'),
  ...sampled(context).map((id, index) => {
    if (!context.discovery.isPart) return send.step(id, send.get('router', send.modelPath(id)));
    return send.step(
      id,
      send.get('router', send.modelPath(id), send.onKeptConnection),
      index === 0 ? {} : { alongside: true },
    );
  }),
];

const listed: Family = { ...model, perModel: true, probe: eachDetail };

const listedRules = defineFamily(listed)({
  'model.listed.can-be-read': {
    sentence: 'Each listed model can be read.',
    requirements: ['MR-CAT-02', 'MR-MOD-04'],
    check: expect.on(sampled, expect.status(200)),
  },
  'model.listed.agree-with-their-details': {
    sentence: 'Each listed model has the values that reading it gives.',
    requirements: ['MR-MOD-04'],
    needs: ['model.detail.agrees-with-the-listing', 'model.listed.can-be-read'],
    check: expect.on(sampled, (response, context, evidence) =>
      expectAsListed(response.step, ...sharedMembers)(response, context, evidence),
    ),
  },
  'model.listed.details-name-no-amount': {
    sentence: 'The billing member of no model names a price.',
    requirements: ['MR-CAT-41', 'MR-CAT-42', 'MR-MOD-04'],
    needs: ['model.listed.can-be-read'],
    check: expect.unless(
      (evidence) => allResponses(evidence).length === 0,
      'no model was listed',
      expect.on(sampled, (response) => amountFindings(response.step, readMember(response, ''), '')),
    ),
  },
  'model.listed.are-there-for-every-credential-form': {
    sentence: 'An API key and a bearer token of one caller show the same models.',
    requirements: ['MR-CAT-02', 'MR-AUT-04'],
    probe: [
      send.list('key', '?limit=1', send.asCaller('main')),
      send.list('token', '?limit=1', send.withToken('main')),
    ],
    check: expect.unless(
      (evidence) => readData(readResponse(evidence, 'key')).length === 0,
      'no model is listed',
      expect.on('token', (byToken) =>
        byToken.status !== 200 || readData(byToken).length > 0
          ? []
          : expect.wrongAt('token', '/data', 'models as under the key', expect.jsonText(readMember(byToken, '/data'))),
      ),
    ),
  },
});

export const modelRules = [...detailRules, ...listedRules];
