/** Usual causes of an unexpected status or value, which reports print. */
export const usualCauses = {
  credentials: 'the route is not behind the check of credentials, or the check takes the first credential it finds',
  lookup: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to another route',
  keys: 'the record of a key does not cover this part of the call, lives too short, or is kept for each process',
  inputs: 'the input is checked after dispatch, by another schema than the published one, or not at all',
  cancellation: 'cancel does not look at the state of the request',
  paging: 'paging counts by offset over a list that changes, or the cursor is not bound to its query',
} as const;
