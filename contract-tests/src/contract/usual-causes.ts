/** Usual causes of an unexpected status or value, for reports. */
export const usualCauses = {
  credentials: 'the route skips the credential check, or the check accepts the first credential it finds',
  lookup: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to another route',
  keys: 'the record of a key does not cover this part of the call, lives too short, or is kept for each process',
  inputs: 'the input is checked after dispatch, by another schema than the published one, or not at all',
  cancellation: 'cancel does not look at the state of the request',
  cursors: 'a cursor that cannot be decoded counts as none',
  documents:
    'the entity tag is not compared with that of this document, or a cache answers for another document or caller',
  graphs: 'the graph is parsed and printed again, or filtered, on its way to the caller',
  limits: 'the limit of the query is not replaced by the default or the maximum, or is not applied',
  paging: 'paging counts by offset over a list that changes, or the cursor is not bound to its query',
} as const;
