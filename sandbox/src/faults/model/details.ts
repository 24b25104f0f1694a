import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { rewriteJson } from '../making/answer-rewrite.ts';
import { modelIdOf } from '../making/operation-match.ts';
import { refuseWhen } from '../making/refuse-when.ts';

const isOfKnownProvider = (request: Request): boolean => !modelIdOf(request).startsWith('no-such-provider/');

const addToBilling = (told: JsonObject): Decorator =>
  rewriteJson({ on: ['readModel'], status: 200 }, (detail) => {
    const { billing } = detail;
    return isJsonObject(billing) ? { ...detail, billing: { ...billing, ...told } } : detail;
  });

export const modelDetailFaults: readonly Fault[] = [
  {
    id: 'model.detail.one-of-them-differs',
    requirements: ['MR-MOD-04'],
    description: 'The detail of one model tells another billing fact than the listing.',
    decorate: rewriteJson({ on: ['readModel'], status: 200 }, (detail, { request }) => {
      const { billing } = detail;
      if (modelIdOf(request) !== 'text-provider/embed' || !isJsonObject(billing)) return detail;
      const told = billing['charges_on_policy_rejection'] === 'no' ? 'yes' : 'no';
      return { ...detail, billing: { ...billing, charges_on_policy_rejection: told } };
    }),
  },
  {
    id: 'model.detail.billing-names-a-price',
    requirements: ['MR-CAT-41'],
    description: 'The detail of a model tells a price that the listing does not.',
    decorate: addToBilling({ tiers: [{ name: 'basic', cents_per_second: 12 }] }),
  },
  {
    id: 'model.detail.billing-counts-calls',
    requirements: ['MR-CAT-42'],
    description: 'The detail of a model tells how often it was called.',
    decorate: addToBilling({ calls_this_month: 1201 }),
  },
  {
    id: 'run.unknown.of-a-known-provider',
    requirements: ['MR-RUN-45', 'MR-STC-05', 'MR-CTG-10'],
    description: 'A run of a model that its provider does not have is answered with 400.',
    decorate: refuseWhen(['runModel'], (request, { status }) => status === 404 && isOfKnownProvider(request), {
      status: 400,
      category: 'invalid_input',
    }),
  },
];
