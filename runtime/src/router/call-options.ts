// `undefined` is as good as leaving out, also under `exactOptionalPropertyTypes`.
export type CallOptions = {
  /** Ends waiting and repeating. Work that was accepted may go on and may be billed. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call with all its waits, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** As in the options of the client, for this call. */
  readonly maxWaitMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** For one attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Added to those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};
export type PollOptions = CallOptions & {
  /** The shortest time between two questions, in milliseconds; a longer `Retry-After` decides. Grows from half a second by default. */
  readonly pollEvery?: number | undefined;
};
