/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
// The members depend on the kind, which a class cannot say. The class has a name of its own, which consoles and stacks show.
export const RouterError = class RouterError extends Error {
    name = 'RouterError';
    constructor(message, facts, cause) {
        super(message, cause === undefined ? undefined : { cause });
        Object.assign(this, facts);
    }
};
