import type { JsonObject, Schema } from '../../../specs/src/index.ts';

/**
 * `authored`: authored input, JSON output, a valid input at hand. `unauthored`: the router forwards any object; where no
 * model is authored, one with JSON output is both. `binary`: answers bytes.
 */
export type ModelKind = 'authored' | 'unauthored' | 'binary';

export type DiscoveredModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** `/v2/models/{provider}/{model}`, segments percent-encoded. */
  readonly path: string;
  /** Valid against `inputSchema`. */
  readonly input: JsonObject;
  /** Rejected by `inputSchema`; undefined when the schema accepts every object. */
  readonly invalidInput: JsonObject | undefined;
  readonly inputSchema: Schema;
  /** Media type → schema of the documented 200. */
  readonly outputs: Readonly<Record<string, Schema>>;
  /** Where the `#/…` references of the schemas resolve. */
  readonly document: JsonObject;
};

/** Models and documents that were discovered before the first rule. Never fails: `problems` lists what could not be read. */
export type Discovery = {
  readonly models: Readonly<Partial<Record<ModelKind, DiscoveredModel>>>;
  /** Model ids in the order of the catalog, as far as discovery paged. */
  readonly listed: readonly string[];
  /** `listed` is a part of the catalog, all of which is to be checked, and not a sample of it. */
  readonly isPart?: true;
  readonly problems: readonly string[];
  /**
   * Why models cannot be used that rules need: those that the owner names, and those of a kind that no other model serves. The check
   * is incomplete without them.
   */
  readonly lost: readonly string[];
  /** The words for the brand in the extension keys of each document that was read. */
  readonly brandWords: readonly (readonly string[])[];
  /** True when every page and document that was asked for came: what was not found is not there. */
  readonly isComplete: boolean;
};

export const emptyDiscovery: Discovery = {
  models: {},
  listed: [],
  problems: ['nothing was discovered'],
  lost: [],
  brandWords: [],
  isComplete: false,
};
