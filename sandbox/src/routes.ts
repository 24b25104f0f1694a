import type { Answer } from './answer.ts';
import type { Context, RouterCall, WorkflowCall } from './context.ts';
import { cancelRequest } from './model-router/cancel-request.ts';
import { collectRequest } from './model-router/collect-request.ts';
import { listModels } from './model-router/list-models.ts';
import { readModel } from './model-router/read-model.ts';
import { readSchemaDocument } from './model-router/read-schema-document.ts';
import { readStatus } from './model-router/read-status.ts';
import { runModel } from './model-router/run-model.ts';
import { submitRequest } from './model-router/submit-request.ts';
import { lookUpJob, readJobWorkflow } from './workflow-execution/read-workflow.ts';

type Handler<Call> = (call: Call, context: Context) => Answer | Promise<Answer>;
/** `operation` is the id that the specification gives, where it knows the route. */
type Served<Call> = { operation: string; method: string; path: string; handle: Handler<Call> };
export type Route =
  | ({ api: 'model-router' } & Served<RouterCall>)
  | ({ api: 'workflow-execution' } & Served<WorkflowCall>);
export type Api = Route['api'];

const models = '/v2/models';
const model = `${models}/{provider}/{model}`;
const request = `${model}/requests/{request_id}`;
const job = '/api/v2/jobs/{id}';

export const routes: readonly Route[] = [
  { api: 'model-router', operation: 'listModels', method: 'GET', path: models, handle: listModels },
  { api: 'model-router', operation: 'readModel', method: 'GET', path: model, handle: readModel },
  { api: 'model-router', operation: 'runModel', method: 'POST', path: model, handle: runModel },
  {
    api: 'model-router',
    operation: 'readSchemaDocument',
    method: 'GET',
    path: `${model}/openapi.json`,
    handle: readSchemaDocument,
  },
  { api: 'model-router', operation: 'submitRequest', method: 'POST', path: `${model}/requests`, handle: submitRequest },
  { api: 'model-router', operation: 'collectRequest', method: 'GET', path: request, handle: collectRequest },
  { api: 'model-router', operation: 'readStatus', method: 'GET', path: `${request}/status`, handle: readStatus },
  { api: 'model-router', operation: 'cancelRequest', method: 'PUT', path: `${request}/cancel`, handle: cancelRequest },
  { api: 'workflow-execution', operation: 'lookUpJob', method: 'GET', path: job, handle: lookUpJob },
  {
    api: 'workflow-execution',
    operation: 'readJobWorkflow',
    method: 'GET',
    path: `${job}/workflow`,
    handle: readJobWorkflow,
  },
];
