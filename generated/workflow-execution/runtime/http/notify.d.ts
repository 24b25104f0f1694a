/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** An observer that throws must not cost a billed result, and one that rejects must not end the process. */
export declare function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void>;
type Observers<Events> = {
    readonly [Name in keyof Events]?: ((event: Events[Name]) => unknown) | undefined;
};
export declare function notifyAll<Events, Name extends keyof Events>(observers: readonly Observers<Events>[], name: Name, event: Events[Name]): void;
export {};
