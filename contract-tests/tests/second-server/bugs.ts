// The mistakes this server can be told to make, each as a programmer of such a server might make it.

export type Bug = {
  readonly id: string;
  readonly operation: string;
  readonly sentence: string;
  readonly section: string;
};

const bug = (id: string, operation: string, section: string, sentence: string): Bug => ({
  id,
  operation,
  section,
  sentence,
});

export const bugs: readonly Bug[] = [
  bug('list-has-more-by-length', 'list', 'MR 2, 4.1', 'has_more is true only when the page is full.'),
  bug(
    'list-skips-at-boundary',
    'list',
    'MR 1, 4.1',
    'The cursor points one model too far, so a traversal misses a model at each boundary.',
  ),
  bug('list-bad-cursor-restarts', 'list', 'MR 4.1', 'A cursor that cannot be decoded is treated as no cursor.'),
  bug('read-unknown-model-500', 'read', 'MR 4.2', 'An unknown model of a known provider ends in an unhandled error.'),
  bug('read-shows-prices', 'read', 'MR 2', 'billing is the whole internal billing row, with the price of a run.'),
  bug(
    'read-cached-for-all',
    'read',
    'MR 4, 5',
    'Entries come from a cache ahead of authentication, keyed by the path.',
  ),
  bug(
    'run-spend-below-zero',
    'run',
    'MR 7 headers',
    'X-Committed-Spend-Remaining is limit minus current without a floor.',
  ),
  bug(
    'run-fallback-on-refusal',
    'run',
    'MR 4.3',
    'Every failed attempt is retried at the fallback provider, also a refusal on policy grounds.',
  ),
  bug(
    'run-key-stored-late',
    'run',
    'MR 4 retry outcomes',
    'The key is recorded when the run ends, so a second call with it starts a second run.',
  ),
  bug('schema-304-for-any-tag', 'schema', 'MR 4.4', 'Any If-None-Match gives 304, whatever tag it holds.'),
  bug('schema-304-bare', 'schema', 'MR 4.4', 'The 304 carries neither ETag nor Cache-Control.'),
  bug(
    'submit-replays-new-body',
    'submit',
    'MR 4 rule 1',
    'A used key returns the first handle without a look at the body.',
  ),
  bug(
    'submit-validates-late',
    'submit',
    'MR 4.5',
    'The input is validated when the request leaves the queue instead of before admission.',
  ),
  bug('submit-relative-urls', 'submit', 'MR 2', 'The three URLs of the handle are paths without scheme and host.'),
  bug('collect-wait-in-fractions', 'collect', 'MR 7 headers', 'Milliseconds divided by 1000 make Retry-After 0.75.'),
  bug(
    'collect-decodes-bytes',
    'collect',
    'MR 4.6',
    'The stored output passes through a text column, which damages binary results.',
  ),
  bug(
    'collect-any-workspace',
    'collect',
    'MR 7',
    'The request is looked up by its id alone, without the workspace of the caller.',
  ),
  bug('status-error-type-null', 'status', 'MR 2', 'error_type is null on a request that succeeded.'),
  bug('status-position-from-one', 'status', 'MR 2', 'queue_position counts the request itself, so the front is 1.'),
  bug('status-any-model', 'status', 'MR 7', 'The request is found under every model, not only under its own.'),
  bug('cancel-completed-accepted', 'cancel', 'MR 3', 'A cancellation of a completed request is accepted with 202.'),
  bug(
    'cancel-overwrites-outcome',
    'cancel',
    'MR 3',
    'A cancellation of a completed request answers 409, yet marks it as cancelled.',
  ),
  bug(
    'cancel-without-error-type',
    'cancel',
    'MR 3 rule 3',
    'A withdrawn request becomes COMPLETED without an error_type.',
  ),
  bug(
    'key-shared-by-all',
    'run and submit',
    'MR 4 rule 6',
    'Keys are looked up without their workspace, so another workspace gets the recorded result.',
  ),
  bug(
    'key-ignores-query',
    'run and submit',
    'MR 4 rule 1',
    'The comparison with the original request leaves out the query.',
  ),
  bug('key-window-slides', 'run and submit', 'MR 4 rule 7', 'Every replay starts the 24 hours anew.'),
  bug('auth-bearer-first', 'every router operation', 'MR 5', 'Authorization wins when X-API-Key is sent too.'),
  bug(
    'error-type-missing-on-422',
    'every router operation',
    'MR 7',
    'The validation error is built apart from other errors and lacks X-Service-Error-Type.',
  ),
  bug(
    'request-id-per-connection',
    'every router operation',
    'MR 4, 7',
    'The request id is made once for each connection.',
  ),
  bug('workflow-foreign-403', 'workflow', 'WX 4 rule 6', 'A job of another account answers 403 instead of 404.'),
  bug(
    'workflow-after-deadline',
    'workflow',
    'WX 4 rule 6',
    'The workflow is served past the retention deadline of its job.',
  ),
  bug(
    'workflow-shows-extra-data',
    'workflow',
    'WX 2',
    'The api format is the whole stored submission, extra_data included.',
  ),
];

export function parseBugs(ids: Iterable<string>): ReadonlySet<string> {
  const known = new Set(bugs.map((one) => one.id));
  const chosen = new Set(ids);
  for (const id of chosen) {
    if (!known.has(id)) throw new Error(`Unknown bug "${id}". Known: ${[...known].join(', ')}`);
  }
  return chosen;
}
