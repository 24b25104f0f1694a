import { notify } from '../http/notify.ts';
import type { Deadline } from './attempt.ts';
import { type BilledRequest, sendBilled, settleRun } from './billed-call.ts';
import { startDeadline } from './call.ts';
import type { Session } from './connection.ts';
import { localFailure } from './failures.ts';
import { printInput, validateInput } from './input.ts';
import { formatQuery, modelUrl } from './model-address.ts';
import { findMediaTypes, toModel } from './model-facts.ts';
import { cancelQueued, readStates } from './queue.ts';
import { admitted, collectFailure, collectResult, createHandle, leave } from './queued-request.ts';
import { type ConvertedResult, type RunResult, toResult } from './results.ts';
import type { RouterError } from './router-error.ts';
import type {
  AnyModel,
  ProviderOptions,
  QueuedRequest,
  RunOptions,
  SubmitOptions,
  SubscribeOptions,
} from './router-types.ts';

export async function run(
  session: Session,
  target: string | AnyModel,
  input: unknown,
  options: RunOptions & ProviderOptions = {},
): Promise<ConvertedResult<unknown>> {
  const { modelProvider, fallbackProvider, strictMode } = options;
  const request = await createRequest('run', { target, input, options }, session);
  if (strictMode === true && modelProvider === undefined) throw localFailure(request, 'strictMode needs modelProvider');
  const query = formatQuery({
    model_provider: modelProvider,
    strict_mode: strictMode?.toString(),
    fallback_provider: fallbackProvider,
  });
  const mediaTypes = findMediaTypes(toModel(target), options);
  const billed = { ...request, url: `${request.url}${query}`, stream: options.as === 'stream', mediaTypes };
  const answer = await sendBilled(billed, { options, time: startDeadline(options, session.connection) }, session);
  return toResult(
    await settleRun(answer, { request, settle: options.settle }, session),
    modelProvider !== undefined && strictMode !== true,
  );
}

export async function submit(
  session: Session,
  target: string | AnyModel,
  input: unknown,
  options: SubmitOptions = {},
): Promise<QueuedRequest<unknown>> {
  const time = startDeadline(options, session.connection);
  const { queued, replayed } = await admit(target, input, { options, time }, session);
  return createHandle(queued, session, replayed);
}

async function admit(
  target: string | AnyModel,
  input: unknown,
  { options, time }: { options: SubmitOptions; time: Deadline },
  session: Session,
): Promise<Awaited<ReturnType<typeof admitted>> & { replayed: boolean }> {
  const request = await createRequest('submit', { target, input, options }, session);
  const answer = await sendBilled(request, { options, time }, session);
  const found = await admitted({ ...request, key: answer.key }, answer, session);
  return { ...found, replayed: answer.facts.replayed };
}

export async function subscribe(
  session: Session,
  target: string | AnyModel,
  input: unknown,
  options: SubscribeOptions = {},
): Promise<RunResult<unknown>> {
  const { connection } = session;
  const { as, settle, onStatus, cancelOnAbort } = options;
  const time = startDeadline(options, connection);
  const { queued, state: first } = await admit(target, input, { options, time }, session);
  try {
    let last = first;
    void notify(onStatus, first);
    for await (const state of readStates(queued, time, connection)) {
      last = state;
      void notify(onStatus, state);
    }
    const request = { ...queued, addresses: last.addresses };
    if (last.kind === 'ended') return await collectFailure(request, { time, as, settle, ended: last }, session);
    return await collectResult(request, { time, as, settle }, session);
  } catch (error) {
    const failure = error as RouterError; // anything else has no kind
    const isOver = failure.kind === 'timeout' && failure.deadlineMs === time.deadlineMs;
    if (cancelOnAbort === true && (isOver || failure.kind === 'aborted'))
      // The first error is the one to report.
      await cancelQueued(queued, startDeadline({ deadlineMs: 10_000 }, connection), connection).catch(() => undefined);
    await leave(queued, error, session);
    throw error;
  }
}

async function createRequest(
  operation: 'run' | 'submit',
  { target, input, options }: { target: string | AnyModel; input: unknown; options: SubmitOptions },
  { connection }: Session,
): Promise<BilledRequest> {
  const { id: model, chargesOnPolicyRejection, inputAuthored, loadValidator } = toModel(target);
  const identity = { operation, model, chargesOnPolicyRejection, inputAuthored };
  const path = modelUrl(connection.baseUrl, model, identity);
  const url = operation === 'run' ? path : `${path}/requests`;
  const body = printInput(input, identity);
  await validateInput(body, options.validate, { ...identity, loadValidator });
  return { ...identity, url, body };
}
