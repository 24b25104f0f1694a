import { bodyRow, drop, type JsonChange, onJson, onMember, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { isOfModel } from './builders/requests.ts';

const billingFault = rowIn((change: JsonChange) => onMember('billing', change));

const swapCharge = onMember('billing', (billing) => ({
  ...billing,
  charges_on_policy_rejection: billing['charges_on_policy_rejection'] === 'yes' ? 'no' : 'yes',
}));
/** A schema URL that is the address of the detail, with something added. */
const schemaUrlBelowDetail = (added: string): Change =>
  onJson((detail, { request: { origin, target } }) => ({
    ...detail,
    input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}${added}`,
  }));

const unknown = 'MR-MOD-09 MR-STC-05';

export const modelFaults: readonly Fault[] = [
  ...group({ id: 'model.detail', on: ['readModel'], status: 200, subject: 'The model detail' }, [
    // Broken statements of the documents are tried by the self-check: these two rows are for pages and tests of the commands.
    fault('billing-missing', 'MR-MOD-04', drop.member('billing')),
    bodyRow('of-another-model', 'MR-MOD-04', (detail) => ({
      ...detail,
      id: `${String(detail['provider'])}/another`,
      model: 'another',
    })),
    fault('billing-differs', 'MR-MOD-04', swapCharge),
    fault('one-of-them-differs', 'MR-MOD-04', swapCharge, { when: isOfModel('text-provider/embed') }),
    billingFault('billing-names-a-price', 'MR-CAT-41', { tiers: [{ name: 'basic', cents_per_second: 12 }] }),
    billingFault('billing-counts-calls', 'MR-CAT-42', { calls_this_month: 1201 }),
  ]),
  ...group({ id: 'model.schema-url', on: ['readModel'], status: 200, subject: 'input_schema_url' }, [
    fault('leads-to-the-detail', 'MR-MOD-08', schemaUrlBelowDetail('')),
    fault('leads-nowhere', 'MR-MOD-08', schemaUrlBelowDetail('/schema.json')),
  ]),
  ...group({ id: 'model.unknown', on: ['readModel'], status: 404, subject: 'An unknown model id' }, [
    fault('answered-with-400', unknown, set.status(400)),
    // An empty object doesn't count as a detail.
    fault('empty-detail', `${unknown} also MR-CAT-30`, set.text('{}', 200)),
    fault('wrong-category', 'MR-CTG-10', set.category('request_not_found')),
    fault('forbidden', unknown, refuse(403, 'forbidden')),
    // Only rules over every exchange of a check find this one: no other rule looks for it.
    fault('gone', 'MR-STC-09 MR-MOD-09 MR-STC-05', set.status(410)),
  ]),
];
