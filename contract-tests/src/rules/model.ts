import pMap from 'p-map';
import { isJsonObject, resolvePointer } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { readMember } from '../contract/evidence.ts';
import { notApplicable, observed } from '../contract/finding.ts';
import { modelPath, onKeptConnection } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, scenario, type TargetContext } from '../contract/scenario.ts';
import { apiKey, state } from '../requires.ts';
import { findAmounts, readData } from './catalog.ts';
import * as expect from './expect.ts';

const rule = ruleIn('model');

function listDiscovered({ discovery: { models } }: TargetContext): readonly DiscoveredModel[] {
  return [models.authored, models.unauthored, models.binary].filter((one) => one !== undefined);
}

/** Members of a catalog entry that the details of the model also have. */
const entryPointers = ['/id', '/provider', '/model', '/billing/charges_on_policy_rejection'];
const authoredModel = scenario({}, async ({ model, authored }) => ({ detail: await model(authored) }));

const discoveredModels = scenario({}, async (server) => {
  const details: Record<string, Answer> = {};
  for (const one of listDiscovered(server)) details[one.id] = await server.model(one);
  return { details };
});

const linkedDocument = scenario({ requires: [state] }, async (server) => {
  const detail = await server.model(server.authored);
  const document = await server.schema(server.authored);
  const [linked, own] = [readMember(detail, '/input_schema_url'), server.baseUrls.router].map(
    (url) => URL.parse(String(url))?.host,
  );
  // The API text doesn't state that a credential may be sent to another host (OP-072).
  return { detail, document, linked: linked === own ? await server.follow(detail, '/input_schema_url') : undefined };
});

const withApiKey = { credentials: [{ as: 'api-key', who: 'main' }] } as const;
const withBearerToken = { credentials: [{ as: 'bearer', who: 'main' }] } as const;

const readWithKeyAndToken = scenario({ requires: [state, apiKey] }, async ({ listModels, model, authored }) => ({
  lists: [await listModels('?limit=1', withApiKey), await listModels('?limit=1', withBearerToken)] as const,
  byKey: await model(authored, withApiKey),
  byToken: await model(authored, withBearerToken),
}));

const detailRule = ruleIn('model', { needs: ['model.detail.answers-with-200'] });

const maxModels = 24;
const maxConcurrentReads = 8;

/** Returns the first models and the last one. */
function chooseModels({ discovery }: TargetContext): readonly string[] {
  const ids = discovery.listed.filter((id) => id.includes('/'));
  return discovery.isPart ? ids : [...new Set([...ids.slice(0, maxModels - 1), ...ids.slice(-1)])];
}

const listedModels = scenario({ requires: [state] }, async (server) => {
  const { isPart } = server.discovery;
  const list = await server.listModels('?limit=100');
  const readDetail = async (id: string) =>
    [id, await server.model({ path: modelPath(id) }, isPart ? onKeptConnection : {})] as const;
  const read = await pMap(chooseModels(server), readDetail, { concurrency: isPart ? maxConcurrentReads : 1 });
  return { list, details: Object.fromEntries(read) };
});

const listedRule = ruleIn('model', { perModel: true });

export const modelRules = [
  rule('model.detail.answers-with-200', authoredModel, {
    sentence: 'Reading a model returns 200.',
    requirements: ['MR-MOD-04'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: ({ detail }) => expect.on(detail, expect.status(200)),
  }),
  detailRule('model.detail.is-of-the-model-asked-for', discoveredModels, {
    sentence: 'Reading a model returns that model.',
    requirements: ['MR-MOD-04'],
    requires: [state],
    requiredOf: ['sandbox', 'live'],
    check: ({ details }, context) =>
      listDiscovered(context).flatMap(({ id, provider, model }) =>
        expect.on(details[id], expect.members({ '/id': id, '/provider': provider, '/model': model })),
      ),
  }),
  detailRule('model.detail.schema-url-leads-to-the-document', linkedDocument, {
    sentence: 'The input_schema_url of a model leads to its schema document.',
    requirements: ['MR-MOD-08'],
    reading: 'OP-072',
    check: ({ document, linked }) => {
      if (linked === undefined) return observed('the model has no input_schema_url on the host of the target (OP-072)');
      // White space and member order may differ between the two URLs.
      return expect.on(linked, expect.status(200, expect.sameMember('', document)));
    },
  }),
  detailRule('model.detail.is-the-same-for-every-credential-form', readWithKeyAndToken, {
    sentence: 'A model has the same details for an API key and a bearer token, and both can list models.',
    requirements: ['MR-CAT-02', 'MR-MOD-04', 'MR-AUT-04'],
    check: ({ lists, byKey, byToken }) => {
      const sameEntry = entryPointers.map((pointer) => expect.sameMember(pointer, byKey));
      const [withKey, withToken] = lists;
      const isListed = expect.matching('models, as with the API key', (data) => Array.isArray(data) && data.length > 0);
      return [
        ...expect.on(byToken, expect.status(200, ...sameEntry)),
        ...(readData(withKey).length === 0 ? [] : expect.on(withToken, expect.member('/data', isListed))),
      ];
    },
  }),
  listedRule('model.listed.can-be-read', listedModels, {
    sentence: 'Each listed model can be read.',
    requirements: ['MR-CAT-02', 'MR-MOD-04'],
    check: ({ details }) => expect.on(Object.values(details), expect.status(200)),
  }),
  listedRule('model.listed.agree-with-their-details', listedModels, {
    sentence: 'Reading a model returns the same values as its catalog entry.',
    requirements: ['MR-MOD-04'],
    requiredOf: ['sandbox', 'live'],
    needs: ['model.detail.is-of-the-model-asked-for', 'model.listed.can-be-read'],
    check: ({ list, details }) => {
      const listed = readData(list).filter(isJsonObject);
      const pairs = listed.flatMap((entry) => {
        const detail = details[String(entry['id'])];
        return detail === undefined ? [] : [{ entry, detail }];
      });
      if (pairs.length === 0) return notApplicable('no model that was read is on the first page');
      return pairs.flatMap(({ entry, detail }) =>
        entryPointers.flatMap((pointer) => {
          const wanted = resolvePointer(entry, pointer);
          return typeof wanted === 'string' ? expect.on(detail, expect.member(pointer, wanted)) : [];
        }),
      );
    },
  }),
  listedRule('model.listed.details-name-no-amount', listedModels, {
    usualCause: usualCauses.prices,
    sentence: 'The billing member of a model never contains a price or a usage number.',
    requirements: ['MR-CAT-41', 'MR-CAT-42', 'MR-MOD-04'],
    needs: ['model.listed.can-be-read'],
    check: ({ details }) =>
      expect.on(Object.values(details), (detail) => findAmounts(detail.step, readMember(detail, ''))),
  }),
];
