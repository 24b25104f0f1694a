/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
class RouterErrorClass extends Error {
    name = 'RouterError';
    constructor(message, facts, cause) {
        super(message, cause === undefined ? undefined : { cause });
        Object.assign(this, facts);
    }
}
// The members depend on the kind, which a class cannot say.
export const RouterError = RouterErrorClass;
