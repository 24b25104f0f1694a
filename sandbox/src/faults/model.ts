import { bodyRow, drop, type JsonChange, onJson, onMember, refuse, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { caller, isOfOneModel } from './builders/requests.ts';

/** Rows that change the billing. */
const billingRow = rowIn((change: JsonChange) => onMember('billing', change));

const swapCharge = onMember('billing', (billing) => ({
  ...billing,
  charges_on_policy_rejection: billing['charges_on_policy_rejection'] === 'yes' ? 'no' : 'yes',
}));

const unknown = 'MR-MOD-09 MR-STC-05';

export const modelFaults: readonly Fault[] = [
  ...group({ id: 'model.detail', on: 'readModel', status: 200, subject: 'The model detail' }, [
    // The self-check breaks statements of the documents by itself: these two rows are for pages and tests of the commands.
    fault('billing-missing', 'MR-MOD-04', drop.member('billing')),
    bodyRow('of-another-model', 'MR-MOD-04', (detail) => ({
      ...detail,
      id: `${String(detail['provider'])}/another`,
      model: 'another',
    })),
    fault('billing-differs', 'MR-MOD-04', swapCharge),
    fault('one-of-them-differs', 'MR-MOD-04', swapCharge, { when: isOfOneModel }),
    fault('billing-differs-for-tokens', 'MR-MOD-04 MR-AUT-04', swapCharge, { when: caller.hasTokenOnly }),
    billingRow('billing-names-a-price', 'MR-CAT-41', { tiers: [{ name: 'basic', cents_per_second: 12 }] }),
    billingRow('billing-counts-calls', 'MR-CAT-42', { calls_this_month: 1201 }),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200, subject: 'input_schema_url' }, [
    fault(
      'leads-nowhere',
      'MR-MOD-08',
      onJson((detail, { request: { origin, target } }) => ({
        ...detail,
        input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}/schema.json`,
      })),
    ),
  ]),
  ...group({ id: 'model.unknown', on: 'readModel', status: 404, subject: 'An unknown model id' }, [
    fault('answered-with-400', unknown, set.status(400)),
    // An empty object doesn't count as a detail.
    fault('empty-detail', `${unknown} also MR-CAT-30`, set.text('{}', 200)),
    fault('wrong-category', 'MR-CTG-10', set.category('request_not_found')),
    fault('forbidden', unknown, refuse(403, 'forbidden')),
    // Only the rules that read every exchange of a check detect this fault.
    fault('gone', 'MR-STC-09 MR-MOD-09 MR-STC-05', set.status(410)),
  ]),
];
