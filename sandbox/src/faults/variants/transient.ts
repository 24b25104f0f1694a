import { newId } from '../../digest.ts';
import { workflowAccounts } from '../../http/authentication.ts';
import { type Reply, requestId, type ServerRequest } from '../../http/messages.ts';
import { allOperations, type Change, type Variant, variant, variants } from '../builders/fault.ts';
import { refusal, withHeader, withJson } from '../builders/replies.ts';
import { caller, isOfWorkflow, readCredential } from '../builders/requests.ts';

type Busy = {
  readonly isBusy: (count: number) => boolean;
  readonly as: 'service_unavailable' | 'internal_error' | 'rate_limited';
  readonly seconds: number;
};

const ofWorkflow = {
  service_unavailable: [429, 'rate_limited'],
  internal_error: [500, 'upstream_error'],
  rate_limited: [429, 'rate_limited'],
} as const;

const isAlwaysLimited = (request: ServerRequest): boolean =>
  caller.isOverRate(request) || workflowAccounts.get(readCredential(request))?.quota === 'used-up';

/** Refuses some reads for the moment, given how many came before; what may start work is always served. */
const busy =
  ({ isBusy, as, seconds }: Busy): Change =>
  (app) => {
    let count = 0;
    return async (request) => {
      if (request.method !== 'GET' || isAlwaysLimited(request)) return app(request);
      count += 1;
      if (!isBusy(count)) return app(request);
      const empty: Reply = { status: 200, headers: { 'Retry-After': String(seconds) }, body: '' };
      if (isOfWorkflow(request)) {
        const labelled = withHeader(empty, 'Content-Type', 'application/json');
        const [status, code] = ofWorkflow[as];
        return withJson(labelled, { error: { code, message: 'Not now.' } }, status);
      }
      const named = withHeader(empty, requestId, newId());
      return refusal(named, as === 'rate_limited' ? 429 : 503, as);
    };
  };

export const transientVariants: readonly Variant[] = variants(
  { id: 'transient', on: [...allOperations, 'lookUpJob'] },
  [
    variant('first-read', busy({ isBusy: (count) => count === 1, as: 'service_unavailable', seconds: 1 })),
    variant('sixth-read', busy({ isBusy: (count) => count % 6 === 0, as: 'service_unavailable', seconds: 0 })),
    variant('of-another-category', busy({ isBusy: (count) => count % 9 === 0, as: 'internal_error', seconds: 0 })),
    variant('twice-in-a-row', busy({ isBusy: (count) => count % 60 < 2, as: 'rate_limited', seconds: 1 })),
  ],
);
