/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { notify } from '../http/notify.js';
import { sendBilled } from './billed-call.js';
import { startDeadline } from './call.js';
import { endedFailure, localFailure } from './failures.js';
import { formatQuery, modelUrl } from './model-address.js';
import { cancelQueued, identify, readStates } from './queue.js';
import { admitted, collectResult, createHandle, leave } from './queued-request.js';
import { toResult } from './results.js';
export async function run(session, target, input, options = {}) {
    const { modelProvider, fallbackProvider, strictMode } = options;
    const request = createRequest('run', target, input, session);
    if (strictMode === true && modelProvider === undefined)
        throw localFailure(request, 'strictMode needs modelProvider');
    const query = formatQuery({
        model_provider: modelProvider,
        strict_mode: strictMode?.toString(),
        fallback_provider: fallbackProvider,
    });
    const billed = { ...request, url: `${request.url}${query}`, stream: options.as === 'stream' };
    const answer = await sendBilled(billed, { options, time: startDeadline(options, session.connection) }, session);
    return toResult(answer, modelProvider !== undefined && strictMode !== true);
}
export async function submit(session, target, input, options = {}) {
    const time = startDeadline(options, session.connection);
    const { queued, replayed } = await admit(target, input, { options, time }, session);
    return createHandle(queued, session, replayed);
}
async function admit(target, input, { options, time }, session) {
    const request = createRequest('submit', target, input, session);
    const answer = await sendBilled(request, { options, time }, session);
    const queued = await admitted({ ...request, key: answer.key }, answer, session);
    return { queued, replayed: answer.facts.replayed };
}
export async function subscribe(session, target, input, options = {}) {
    const { connection } = session;
    const time = startDeadline(options, connection);
    const { queued } = await admit(target, input, { options, time }, session);
    try {
        let { addresses } = queued;
        for await (const state of readStates(queued, time, connection)) {
            ({ addresses } = state);
            void notify(options.onStatus, state);
            if (state.kind === 'ended')
                throw endedFailure(identify('result', queued), state);
        }
        return await collectResult({ ...queued, addresses }, { time, as: options.as }, session);
    }
    catch (error) {
        const { kind } = error; // anything else has no kind
        if (options.cancelOnAbort === true && (kind === 'aborted' || kind === 'timeout'))
            // The first error is the one to report.
            await cancelQueued(queued, startDeadline({ deadlineMs: 10_000 }, connection), connection).catch(() => undefined);
        await leave(queued, error, session);
        throw error;
    }
}
function createRequest(operation, target, input, { connection }) {
    const facts = typeof target === 'string' ? { id: target } : target;
    const { id: model, chargesOnPolicyRejection, inputAuthored } = facts;
    const identity = { operation, model, chargesOnPolicyRejection, inputAuthored };
    const path = modelUrl(connection.baseUrl, model, identity);
    const url = operation === 'run' ? path : `${path}/requests`;
    return { ...identity, url, body: printBody(input, identity) };
}
function printBody(input, identity) {
    try {
        const text = JSON.stringify(input);
        if (text?.startsWith('{'))
            return text;
    }
    catch (cause) {
        throw localFailure(identity, 'the input cannot be written as JSON', { cause });
    }
    throw localFailure(identity, 'an input is a JSON object');
}
