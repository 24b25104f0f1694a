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
/** The parts of an address; none where it cannot be read. */
export declare function parseAddress(address: string, base?: string): Partial<URL>;
/** The origin of an address to which requests go. `what` names it in the error. */
export declare function readOrigin(address: string, what: string): string;
/** The address to which paths are added. `added` is the part that every path begins with. */
export declare function readBaseUrl(address: string, added: string, client: string): string;
/** Whether a text can be a part of a path. A URL drops `.` and `..`, so they would reach another one. */
export declare function isSegment(text: string): boolean;
/** A variable of the environment; absent in browsers, and where it is empty. */
export declare function readVariable(name: string): string | undefined;
/** Names the client to the service. Browsers name themselves, and would ask the service first whether another name may be sent. */
export declare function nameAgent(name: string): Record<string, string>;
