import type { Complaints, Place } from './failure.js';
import type { JsonSchema } from './schema.js';
/** Members and items that some part of a schema has described; kept only where a schema asks for it. */
export type Described = {
    names: Set<string>;
    /** So many from the first one on. */
    items: number;
    /** Others, one by one. */
    found: Set<number>;
};
export type Run = {
    readonly complaints: Complaints;
    readonly described: Described | undefined;
    /** References followed so far: a schema may lead to itself without end. */
    readonly depth: number;
    readonly formats: FormatChecks | undefined;
};
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** Whether a value passes; says why not where the run takes complaints. */
export type Check = (value: unknown, place: Place, run: Run) => boolean;
/** Turns a schema within the same document into its check. */
export type Compile = (schema: JsonSchema) => Check;
export declare function nothingDescribed(): Described;
export declare function describe(known: Described, more: Described): void;
/** Members and items of a value are judged by themselves: what is described there is nobody else's. */
export declare function inside(run: Run): Run;
/** Neither complains nor describes. */
export declare function silently(run: Run): Run;
