/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { objectOf } from '../http/read-body.js';
import { readCategory } from './categories.js';
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readQueueState({ body, facts }) {
    const { request_id, status, status_url, response_url, cancel_url, error_type, queue_position } = objectOf(body);
    if (typeof request_id !== 'string' || typeof status !== 'string')
        return undefined;
    if (typeof status_url !== 'string' || typeof response_url !== 'string' || typeof cancel_url !== 'string')
        return undefined;
    const every = {
        status,
        addresses: { requestId: request_id, statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url },
        facts,
    };
    if (status !== 'COMPLETED') {
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    }
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type) };
}
