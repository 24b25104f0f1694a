import { newId } from '../../digest.ts';
import { workflowAccounts } from '../../http/authentication.ts';
import { type Reply, requestId } from '../../http/messages.ts';
import { refusal, withHeader, withJson } from '../builders/changes.ts';
import { allOperations, type Change, group, type Variant, variant } from '../builders/fault.ts';
import { caller, isOfWorkflow, sent, type When } from '../builders/requests.ts';

/** Error category of the router, and the equivalent reply of the workflow API. */
const refusals = {
  service_unavailable: { status: 503, ofWorkflow: [429, 'rate_limited'] },
  internal_error: { status: 503, ofWorkflow: [500, 'upstream_error'] },
  rate_limited: { status: 429, ofWorkflow: [429, 'rate_limited'] },
} as const;

const isAlwaysLimited: When = (request) =>
  caller.isOverRate(request) || workflowAccounts.get(sent.credential(request))?.quota === 'used-up';

/** Temporarily rejects some reads, depending on the number of earlier reads. Never rejects calls that may start work. */
const busy =
  (category: keyof typeof refusals, seconds: number, isBusy: (count: number) => boolean): Change =>
  (app) => {
    let count = 0;
    return async (request) => {
      if (request.method !== 'GET' || isAlwaysLimited(request)) return app(request);
      count += 1;
      if (!isBusy(count)) return app(request);
      const { status, ofWorkflow } = refusals[category];
      const empty: Reply = { status, headers: { 'Retry-After': String(seconds) }, body: '' };
      if (!isOfWorkflow(request)) return refusal(withHeader(empty, requestId, newId()), status, category);
      const [code, word] = ofWorkflow;
      const labelled = withHeader(empty, 'Content-Type', 'application/json');
      return withJson(labelled, { error: { code: word, message: 'Not now.' } }, code);
    };
  };

const firstRead = busy('service_unavailable', 1, (count) => count === 1);
const nowAndThen = busy('internal_error', 0, (count) => count % 6 === 0);
const twiceInARow = busy('rate_limited', 1, (count) => count % 60 < 2);

export const transientVariants: readonly Variant[] = group({ id: 'transient', on: [...allOperations, 'lookUpJob'] }, [
  variant('first-read', firstRead),
  variant('now-and-then', nowAndThen),
  variant('twice-in-a-row', twiceInARow),
]);
