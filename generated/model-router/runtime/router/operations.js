/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { notify } from '../http/notify.js';
import { sendBilled, settleRun } from './billed-call.js';
import { startDeadline } from './call.js';
import { localFailure } from './failures.js';
import { printInput, validateInput } from './input.js';
import { formatQuery, modelUrl } from './model-address.js';
import { findMediaTypes, toModel } from './model-facts.js';
import { cancelQueued, readStates } from './queue.js';
import { admitted, collectFailure, collectResult, createHandle, leave } from './queued-request.js';
import { toResult } from './results.js';
export async function run(session, target, input, options = {}) {
    const { modelProvider, fallbackProvider, strictMode } = options;
    const request = await createRequest('run', { target, input, options }, session);
    if (strictMode === true && modelProvider === undefined)
        throw localFailure(request, 'strictMode needs modelProvider');
    const query = formatQuery({
        model_provider: modelProvider,
        strict_mode: strictMode?.toString(),
        fallback_provider: fallbackProvider,
    });
    const mediaTypes = findMediaTypes(toModel(target), options);
    const billed = { ...request, url: `${request.url}${query}`, stream: options.as === 'stream', mediaTypes };
    const answer = await sendBilled(billed, { options, time: startDeadline(options, session.connection) }, session);
    return toResult(await settleRun(answer, { request, settle: options.settle }, session), modelProvider !== undefined && strictMode !== true);
}
export async function submit(session, target, input, options = {}) {
    const time = startDeadline(options, session.connection);
    const { queued, replayed } = await admit(target, input, { options, time }, session);
    return createHandle(queued, session, replayed);
}
async function admit(target, input, { options, time }, session) {
    const request = await createRequest('submit', { target, input, options }, session);
    const answer = await sendBilled(request, { options, time }, session);
    const found = await admitted({ ...request, key: answer.key }, answer, session);
    return { ...found, replayed: answer.facts.replayed };
}
export async function subscribe(session, target, input, options = {}) {
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
        if (last.kind === 'ended')
            return await collectFailure(request, { time, as, settle, ended: last }, session);
        return await collectResult(request, { time, as, settle }, session);
    }
    catch (error) {
        const failure = error; // anything else has no kind
        const isOver = failure.kind === 'timeout' && failure.deadlineMs === time.deadlineMs;
        if (cancelOnAbort === true && (isOver || failure.kind === 'aborted'))
            // The first error is the one to report.
            await cancelQueued(queued, startDeadline({ deadlineMs: 10_000 }, connection), connection).catch(() => undefined);
        await leave(queued, error, session);
        throw error;
    }
}
async function createRequest(operation, { target, input, options }, { connection }) {
    const { id: model, chargesOnPolicyRejection, inputAuthored, loadValidator } = toModel(target);
    const identity = { operation, model, chargesOnPolicyRejection, inputAuthored };
    const path = modelUrl(connection.baseUrl, model, identity);
    const url = operation === 'run' ? path : `${path}/requests`;
    const body = printInput(input, identity);
    await validateInput(body, options.validate, { ...identity, loadValidator });
    return { ...identity, url, body };
}
