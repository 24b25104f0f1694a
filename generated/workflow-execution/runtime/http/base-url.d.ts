/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** An absolute address of http or https without a user name. */
export declare const reachable: RegExp;
/** The parts of an address; empty where it cannot be read. */
export declare function parseAddress(address: string, base?: string): Partial<URL>;
/** The origin of an address to which requests go. `what` names it in the error. */
export declare function readOrigin(address: string, what: string): string;
/** The address to which paths are added. `added` is the part that every path begins with. */
export declare function readBaseUrl(address: string, added: string, client: string): string;
/** True for a text that can be a part of a path. A URL drops `.` and `..`, so they would reach another one. */
export declare function isSegment(text: string): boolean;
type NodeProcess = {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    getBuiltinModule?(name: 'events'): {
        setMaxListeners(count: number, signal: AbortSignal): void;
    } | undefined;
};
/** The members of Node's `process` that the client uses; undefined in browsers. */
export declare const readProcess: () => NodeProcess | undefined;
/** A variable of the environment; undefined in browsers, and where it is empty. */
export declare const readVariable: (name: string) => string | undefined;
/** Names the client to the service. Browsers name themselves, and would ask the service first whether another name may be sent. */
export declare function nameAgent(name: string): Record<string, string>;
export {};
