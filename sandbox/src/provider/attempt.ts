import type { AssetFamily } from '../assets/asset-family.ts';
import type { Output } from '../models/produce-output.ts';
import type { ProviderFacts, ProviderOutcome } from './provider-response.ts';

/** What came of asking one provider; a result is still a value here. */
export type Attempt = Pick<ProviderFacts, 'durationMs' | 'upstreamStatus' | 'deadline' | 'intercepted'> & {
  outcome: AttemptOutcome;
};
export type AttemptOutcome =
  | Exclude<ProviderOutcome, { kind: 'result' }>
  | { kind: 'output'; output: Output; creditsUsed?: number; holdsProviderUrl: boolean };

/** `startsAt` is when this provider is asked (ms); links are signed when it answers. */
export type AttemptContext = {
  seed: number;
  origin: string;
  startsAt: number;
  families: readonly AssetFamily[] | undefined;
};
