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
  /** The document that contains the targets of the schemas' `#/…` references. */
  readonly document: JsonObject;
};

/** Models and documents that were discovered before the first rule. Never fails: `problems` lists what could not be read. */
export type Discovery = {
  readonly models: Readonly<Partial<Record<ModelKind, DiscoveredModel>>>;
  /** Model ids in catalog order; may be incomplete if discovery stopped early. */
  readonly listed: readonly string[];
  /** `listed` is a part of the catalog, all of which is to be checked, and not a sample of it. */
  readonly isPart?: true;
  readonly problems: readonly string[];
  /**
   * Reasons why models that rules need cannot be used: models that the owner names, and models of a kind that no other model has. The
   * check is incomplete without them.
   */
  readonly lost: readonly string[];
  /** The words for the brand in the extension keys of each document that was read. */
  readonly brandWords: readonly (readonly string[])[];
  /** True if every requested page and document was read, so that a model that was not found doesn't exist. */
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
