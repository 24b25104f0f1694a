/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The origin of an absolute address of http or https without a user name; undefined for any other text. */
export declare function readOrigin(address: string): string | undefined;
/** The address to which paths are added, or what is wrong with it. `added` is the part that every path begins with. */
export declare function readBaseUrl(address: string, added: string): {
    baseUrl: string;
} | {
    mistake: string;
};
/** A variable of the environment; absent in browsers, and where it is empty. */
export declare function readVariable(name: string): string | undefined;
/** Names the client to the service. Browsers name themselves, and would ask the service first whether another name may be sent. */
export declare function nameAgent(name: string): Record<string, string>;
