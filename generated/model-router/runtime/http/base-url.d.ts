/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export declare const httpUrlPattern: RegExp;
type UrlParts = {
    readonly href: string;
    readonly origin: string;
    readonly pathname: string;
    readonly search: string;
    readonly hasUserName: boolean;
};
/**
 * Splits an http or https URL, or a path on the origin of `base`. Returns an empty object for other texts. Doesn't use the
 * platform's `URL`, because that of React Native appends slashes and lacks members.
 */
export declare function parseUrl(url: string, base?: string): Partial<UrlParts>;
/** Decodes a path for a comparison, because servers differ in which characters they escape. */
export declare function decodePath(path: string): string;
/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export declare function readOrigin(url: string, what: string): string;
/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export declare function readBaseUrl(url: string, added: string, what: string): string;
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
