import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Fault } from '../decorator.ts';
import { rewriteJson } from '../making/answer-rewrite.ts';
import { modelIdOf } from '../making/operation-match.ts';
import { refuseWhen } from '../making/refuse-when.ts';

const isOfKnownProvider = (request: Request): boolean => !modelIdOf(request).startsWith('no-such-provider/');

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
    id: 'run.unknown.of-a-known-provider',
    requirements: ['MR-RUN-45', 'MR-STC-05', 'MR-CTG-10'],
    description: 'A run of a model that its provider does not have is answered with 400.',
    decorate: refuseWhen(['runModel'], (request, { status }) => status === 404 && isOfKnownProvider(request), {
      status: 400,
      category: 'invalid_input',
    }),
  },
];
