// What the owner of a deployed service can give, so that more rules can be checked: each name with its sentence.

export const routerCredentials = {
  main: 'by default SWITCHYARD_API_KEY or SWITCHYARD_TOKEN',
  colleague: 'of the same workspace as main',
  neighbour: 'of another workspace',
  solo: 'without a workspace',
  noCredits: 'of an account without credits',
  noAccess: 'without access to models',
  notEnabled: 'of an account that the API is not enabled for',
  rateLimited: 'refused by a rate limit',
  spendCapped: 'refused by the cap on committed spend',
};

export const workflowCredentials = {
  main: 'by default SWITCHYARD_WORKFLOW_TOKEN',
  other: 'of another account',
  forbidden: 'authenticated, and not allowed to read any job',
  rateLimited: 'refused by a rate limit',
};

export const jobs = {
  save: 'made by saving a workflow',
  api: 'made by the API',
  foreign: 'of another account',
  expired: 'expired',
  unreadable: 'pinned to a version that the caller can no longer read',
  deleted: 'pinned to a workflow that the caller can no longer read',
};

export const graphs = {
  save: 'of the job save',
  api: 'of the job api',
  unreadable: 'of the job unreadable',
  deleted: 'of the job deleted',
};

/** Of a model, beside the input that is always needed. */
export const modelInputs = {
  rejectedInput: 'valid as well, and refused by the content policy of its provider',
  failingInput: 'valid as well, and its provider fails on it',
  slowInput: 'of the first model with an authored input: valid as well, and its run takes ten seconds or more',
};
