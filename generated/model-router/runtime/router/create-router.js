/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { performCall, runDeadlineMs } from '../http/call.js';
import { addParts } from '../http/observers.js';
import { run } from './billed.js';
import { connect, connectionOf } from './connection.js';
import { toModel } from './router-types.js';
export function createModelRouterFor(facts) {
    return (options = {}) => createRouter(connect(options, facts));
}
export const submitOptions = ['idempotencyKey', 'validate'];
export const outputOptions = [...submitOptions, 'as', 'settle'];
const runMethod = {
    defaultMs: runDeadlineMs,
    options: [...outputOptions, 'modelProvider', 'fallbackProvider', 'strictMode'],
};
export function createRouter(connection) {
    const router = {
        run(target, input, given = {}) {
            const model = toModel(target);
            const identity = { operation: 'run', model: model.id };
            return performCall(connection, identity, runMethod, given, (call) => run(model, input, given, call));
        },
        use: addParts(connection.parts),
    };
    // Not enumerable, so that logging the router doesn't show it. The types of models only exist at compile time.
    return Object.defineProperty(router, connectionOf, { value: connection });
}
