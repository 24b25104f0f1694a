// What Dredd needs to get real answers: credentials, an existing model and requests, and which documented cases to leave out.
const hooks = require('hooks');

const { keys, model, requests, job } = JSON.parse(process.env.BENCH_DREDD ?? '{}');
const unknownId = '00000000-0000-4000-8000-000000000000';
const credentialOf = { 401: undefined, 403: keys.noAccess, 429: keys.rateLimited };
const reachable = new Set(['200', '201', '202', '304', '400', '401', '403', '404', '422', '429']);

hooks.beforeEach((transaction, done) => {
  const status = String(transaction.expected.statusCode);
  const { headers } = transaction.request;
  if (!reachable.has(status) || status === '202') transaction.skip = true;
  delete headers.Authorization;
  headers['X-API-Key'] = status in credentialOf ? credentialOf[status] : keys.main;
  if (headers['X-API-Key'] === undefined) delete headers['X-API-Key'];
  if (transaction.fullPath.startsWith('/api/')) toWorkflow(transaction, status);
  else toRouter(transaction, status);
  transaction.request.uri = transaction.fullPath;
  done();
});

function toWorkflow(transaction, status) {
  const { headers } = transaction.request;
  delete headers['X-API-Key'];
  if (status !== '401') headers.Authorization = `Bearer ${status === '403' ? keys.forbidden : keys.workflow}`;
  transaction.fullPath = `/api/v2/jobs/${status === '404' ? unknownId : job}/workflow`;
}

function toRouter(transaction, status) {
  const { method, headers } = transaction.request;
  const known = status === '404' ? 'nobody/nothing' : model;
  const rest = transaction.fullPath.split('?')[0].replace(/^\/v2\/models\/?[^/]*\/?[^/]*/, '');
  const isList = /^\/v2\/models(\?|$)/.test(transaction.fullPath);
  const id = method === 'PUT' || /cancel/.test(rest) ? requests.live : requests.done;
  const tail = rest.replace(/^\/requests\/[^/]+/, () => `/requests/${id}`);
  transaction.fullPath = isList
    ? `/v2/models${status === '400' ? '?cursor=garbage' : ''}`
    : `/v2/models/${known}${tail}`;
  if (status === '304') headers['If-None-Match'] = '*';
  else delete headers['If-None-Match'];
  delete headers['Idempotency-Key'];
  if (transaction.request.body) transaction.request.body = status === '422' ? '{"outcome":7}' : '{}';
}
