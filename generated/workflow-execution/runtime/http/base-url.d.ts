/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export declare const reachable: RegExp;
export declare function parseAddress(address: string, base?: string): Partial<URL>;
/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export declare function readOrigin(address: string, what: string): string;
/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export declare function readBaseUrl(address: string, added: string, what: string): string;
/** True if the text can be a path segment. `.` and `..` would change the path. */
export declare function isSegment(text: string): boolean;
type NodeProcess = {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: Readonly<Record<string, string | undefined>>;
    getBuiltinModule?(name: 'events'): {
        setMaxListeners(count: number, signal: AbortSignal): void;
    } | undefined;
};
export declare const readProcess: () => NodeProcess | undefined;
/** Returns an environment variable; undefined in browsers, or if it is empty. */
export declare const readVariable: (name: string) => string | undefined;
export {};
