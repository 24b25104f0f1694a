import { createHash } from 'node:crypto';
import type { FieldProblem } from './answers.ts';
import type { Input } from './input.ts';

// What comes of a call to a provider.

export type Output = { readonly mediaType: string; readonly bytes: Buffer };

export type Failure = {
  readonly kind: 'failure';
  readonly blame: 'request' | 'provider' | 'router' | 'nobody';
  readonly status: number;
  readonly errorType: string;
  readonly detail: string;
  readonly upstreamStatus?: number;
  readonly problems?: readonly FieldProblem[];
};

export type Attempt =
  | Failure
  | { readonly kind: 'output'; readonly output: Output; readonly replayable: boolean; readonly creditsUsed?: number };

/** The body that reaches a provider. */
export type Sent = { readonly input: Input; readonly bytes: Buffer };

export const digest = (text: string) => createHash('sha256').update(text).digest();
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value;

/** One text for all spellings of the same JSON value. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

export const json = (value: unknown, replayable = true) => ({
  kind: 'output' as const,
  replayable,
  output: { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(value, null, 1)) },
});

export const fail = (
  blame: Failure['blame'],
  status: number,
  errorType: string,
  detail: string,
  more: Partial<Failure> = {},
): Failure => ({ kind: 'failure', blame, status, errorType, detail, ...more });
