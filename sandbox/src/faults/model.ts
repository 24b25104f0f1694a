import { drop, onJson, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { caller, isOfOneModel } from './builders/requests.ts';

const ofAnotherModel = onJson((detail) => ({
  ...detail,
  id: `${String(detail['provider'])}/another`,
  model: 'another',
}));
const swapCharge = onJson(
  ({ charges_on_policy_rejection: charge, ...billing }) => ({
    ...billing,
    charges_on_policy_rejection: charge === 'yes' ? 'no' : 'yes',
  }),
  'billing',
);
const leadsNowhere = onJson((detail, { request: { origin, target } }) => ({
  ...detail,
  input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}/schema.json`,
}));

export const modelFaults: readonly Fault[] = [
  ...group({ id: 'model.detail', on: 'readModel', status: 200 }, [
    // The self-check already derives faults with missing members; this one is for documentation and tests of commands.
    fault('billing-missing', ['MR-MOD-04'], drop.member('billing')),
    fault('of-another-model', ['MR-MOD-04'], ofAnotherModel),
    fault('billing-differs', ['MR-MOD-04'], swapCharge),
    fault('one-of-them-differs', ['MR-MOD-04'], swapCharge, { when: isOfOneModel }),
    fault('billing-differs-for-tokens', ['MR-MOD-04', 'MR-AUT-04'], swapCharge, { when: caller.hasTokenOnly }),
    fault('billing-counts-calls', ['MR-CAT-42'], onJson({ calls_this_month: 1201 }, 'billing')),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [
    fault('leads-nowhere', ['MR-MOD-08'], leadsNowhere),
  ]),
  ...group({ id: 'model.unknown', on: 'readModel', status: 404 }, [
    fault('answered-with-400', ['MR-MOD-09', 'MR-STC-05'], set.status(400)),
    // An empty object isn't a valid description of a model.
    fault('empty-detail', ['MR-MOD-09', 'MR-STC-05'], set.text('{}', 200), { also: ['MR-CAT-30'] }),
    fault('gone', ['MR-STC-09', 'MR-MOD-09', 'MR-STC-05'], set.status(410)),
    fault('wrong-category', ['MR-CTG-10'], set.category('request_not_found')),
  ]),
];
