/** Mistakes that this server can be told to make, other than those that faults of the sandbox make in the same way. */
export const bugs = {
  'list-has-more-by-length': 'has_more is true only when the page is full.',
  'list-skips-at-boundary': 'The cursor points one model too far, so a traversal misses a model at each boundary.',
  'read-unknown-model-500': 'An unknown model of a known provider ends in an unhandled error.',
  'read-shows-prices': 'billing is the whole internal billing row, with the price of a run.',
  'read-cached-for-all': 'Entries come from a cache ahead of authentication, keyed by the path.',
  'run-spend-below-zero': 'X-Committed-Spend-Remaining is limit minus current without a floor.',
  'run-fallback-on-refusal': 'A refusal on policy grounds is retried at the fallback provider too.',
  'run-key-stored-late': 'The key is recorded when the run ends, so a second call with it starts a second run.',
  'submit-replays-new-body': 'A used key returns the first handle without a look at the body.',
  'submit-validates-late': 'The input is validated when the request leaves the queue.',
  'submit-relative-urls': 'The three URLs of the handle are paths without scheme and host.',
  'status-position-from-one': 'queue_position counts the request itself, so the front is 1.',
  'request-id-per-connection': 'The request id is made once for each connection.',
  'workflow-foreign-403': 'A job of another account answers 403 instead of 404.',
} as const;

export type BugId = keyof typeof bugs;
export const bugIds = Object.keys(bugs) as readonly BugId[]; // `keys` forgets the keys' type
