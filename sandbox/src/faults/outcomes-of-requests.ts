import { refuse, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { whenCompleted } from './builders/queue.ts';
import { isRefusal, readCategory, without } from './builders/replies.ts';

const completedFault = rowIn(whenCompleted);

/** A request that ended in the category `from` is collected as `as`. */
const endings = [
  { name: 'policy', from: 'content_policy_violation', as: '400 invalid_input', requirements: 'MR-CTG-06' },
  { name: 'provider-error', from: 'provider_error', as: '410 internal_error', requirements: 'MR-CTG-07' },
  { name: 'provider-timeout', from: 'provider_timeout', as: '504 deadline_exceeded', requirements: 'MR-CTG-08' },
  { name: 'deadline', from: 'deadline_exceeded', as: '410 deadline_exceeded', requirements: 'MR-COL-20 MR-CTG-16' },
  { name: 'refused-input', from: 'invalid_input', as: '400 invalid_input', requirements: 'MR-COL-18' },
  { name: 'internal-error', from: 'internal_error', as: '409 internal_error', requirements: 'MR-COL-17 MR-STC-09' },
  {
    name: 'unavailable',
    from: 'service_unavailable',
    as: '409 service_unavailable',
    requirements: 'MR-COL-17 MR-STC-09 MR-CTG-18',
  },
];

const endingFaults = endings.map(({ name, from, as, requirements }) => {
  const [status = '', category = ''] = as.split(' ');
  const change = refuse(Number(status), category, (reply, { context }) => {
    return readCategory(reply, context) === from;
  });
  const suffix = `${name}-as-${as.replaceAll(/[ _]/g, '-')}`;
  return fault(suffix, requirements, `A request that ended in ${from} is collected as ${as}`, change);
});

const isFailure = (category: unknown): boolean => category !== undefined && category !== 'cancelled';

const asFailed = whenCompleted((status) =>
  isFailure(status['error_type']) ? { ...status, status: 'FAILED' } : status,
);
const named = whenCompleted(({ error_type: name, ...status }) =>
  name === undefined ? status : { ...status, error_type: { name } },
);

export const outcomeOfRequestFaults: readonly Fault[] = [
  ...group({ id: 'outcomes.collected', on: ['collectRequest'], status: isRefusal }, endingFaults),
  ...group({ id: 'outcomes.collected', on: ['collectRequest'], subject: 'A failed request' }, [
    fault('failure-as-result', 'MR-CTG-07', 'is collected with 200 and {}', set.text('{}', 200), { status: 502 }),
    fault('always-410', 'MR-CTG-07 MR-COL-18 MR-COL-20', 'is always collected with 410', set.status(410), {
      status: [400, 422, 502, 504],
      alsoViolates: 'MR-CTG-06 MR-CTG-08',
    }),
    fault('category-is-the-status-code', 'MR-CTG-08 MR-CTG-07', 'has a number for category', set.category('502'), {
      status: [502, 504],
      alsoViolates: 'MR-COL-20',
    }),
    fault('entries-lost', 'MR-COL-18', 'has a 422 without entries', set.member('detail', 'Some fields were refused.'), {
      status: 422,
    }),
  ]),
  ...group({ id: 'outcomes.status', on: ['readStatus'], status: 200, subject: 'The status of a failure' }, [
    completedFault('failure-looks-like-success', 'MR-QUE-11', 'has no error_type', (status) =>
      status['error_type'] === 'cancelled' ? status : without(status, 'error_type'),
    ),
    completedFault('one-error-for-all', 'MR-QUE-11', 'is always provider_error', (status) =>
      isFailure(status['error_type']) ? { ...status, error_type: 'provider_error' } : status,
    ),
    fault('failed-is-a-fourth-word', 'MR-QUE-04 MR-QUE-33', 'is FAILED', asFailed, { alsoViolates: 'MR-QUE-11' }),
    fault('error-type-is-an-object', 'MR-QUE-11', 'has an object error_type', named, { alsoViolates: 'MR-STA-13' }),
  ]),
];
