import { bodyRow, drop, type JsonChange, onJson, onMember, refuse, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { requestId } from './builders/replies.ts';
import { isOfModel } from './builders/requests.ts';

const billingFault = rowIn((change: JsonChange) => onMember('billing', change));

const swapCharge = onMember('billing', (billing) => ({
  ...billing,
  charges_on_policy_rejection: billing['charges_on_policy_rejection'] === 'yes' ? 'no' : 'yes',
}));

const schemaUrl = (url: string): Change => set.member('input_schema_url', url);
/** A schema URL that is the address of the detail, with something added. */
const schemaUrlBelowDetail = (added: string): Change =>
  onJson((detail, { request: { origin, target } }) => ({
    ...detail,
    input_schema_url: `${origin.replace(/^http:/, 'https:')}${target}${added}`,
  }));

const unknown = 'MR-MOD-09 MR-STC-05';

const longUrl = schemaUrl(`https://schemas.example.test/${'a'.repeat(2100)}`);
const urlAsObject = set.member('input_schema_url', { href: 'https://schemas.example.test/a' });

export const modelFaults: readonly Fault[] = [
  ...group({ id: 'model.detail', on: ['readModel'], status: 200, subject: 'The model detail' }, [
    fault('billing-missing', 'MR-MOD-04', 'lacks the billing object', drop.member('billing')),
    bodyRow('of-another-model', 'MR-MOD-04', 'has another id than the one in the path', (detail) => ({
      ...detail,
      id: `${String(detail['provider'])}/another`,
      model: 'another',
    })),
    fault('billing-differs', 'MR-MOD-04', 'and the listing disagree on billing', swapCharge),
    fault('one-of-them-differs', 'MR-MOD-04', 'of one model and the listing disagree on billing', swapCharge, {
      when: isOfModel('text-provider/embed'),
    }),
    fault('request-id-missing', 'MR-HDR-01', 'has no request id', drop.header(requestId)),
    billingFault('billing-names-a-price', 'MR-CAT-41', 'names a price that the listing does not have', {
      tiers: [{ name: 'basic', cents_per_second: 12 }],
    }),
    billingFault('billing-counts-calls', 'MR-CAT-42', 'says how often the model was called', {
      calls_this_month: 1201,
    }),
  ]),
  ...group({ id: 'model.schema-url', on: ['readModel'], status: 200, subject: 'input_schema_url' }, [
    fault('not-https', 'MR-MOD-06', 'is an http URL', schemaUrl('http://schemas.example.test/input.json')),
    fault('too-long', 'MR-MOD-07', 'is longer than 2048 characters', longUrl),
    fault('leads-to-the-detail', 'MR-MOD-08', 'leads to the model detail', schemaUrlBelowDetail('')),
    fault('leads-nowhere', 'MR-MOD-08', 'leads to a page that does not exist', schemaUrlBelowDetail('/schema.json')),
    fault('as-object', 'MR-MOD-05', 'is an object with an href', urlAsObject),
  ]),
  ...group({ id: 'model.unknown', on: ['readModel'], status: 404, subject: 'An unknown model id is' }, [
    fault('answered-with-400', unknown, 'answered with 400', set.status(400)),
    fault('empty-detail', unknown, 'answered with 200 and an empty object', set.text('{}', 200), {
      alsoViolates: 'MR-CAT-30', // an empty object is no detail either
    }),
    fault('wrong-category', 'MR-CTG-10', 'called request_not_found', set.category('request_not_found')),
    fault('forbidden', unknown, 'answered with 403', refuse(403, 'forbidden')),
    // Only rules over every exchange of a check find this one: no other rule looks for it.
    fault('gone', 'MR-STC-09 MR-MOD-09 MR-STC-05', 'answered with 410, which is for queued requests', set.status(410)),
  ]),
];
