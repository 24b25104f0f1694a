import type { JsonObject, Schema } from '../../../specs/src/index.ts';

/**
 * `authored`: has an input schema and JSON output, and discovery found a valid input. `unauthored`: the router forwards
 * any object; if no model is authored, a model with JSON output serves as both. `binary`: returns bytes.
 */
export type ModelKind = 'authored' | 'unauthored' | 'binary';

export type DiscoveredModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** `/v2/models/{provider}/{model}`, segments percent-encoded. */
  readonly path: string;
  readonly input: JsonObject;
  /** Invalid input for `inputSchema`; undefined if the schema accepts every object. */
  readonly invalidInput: JsonObject | undefined;
  readonly inputSchema: Schema;
  /** Media type → schema of the documented 200 response. */
  readonly outputs: Readonly<Record<string, Schema>>;
  /** Document in which the `#/…` references of the schemas resolve. */
  readonly document: JsonObject;
};

/** Models and documents read before the first rule. Discovery never throws: `problems` lists what could not be read. */
export type Discovery = {
  readonly models: Readonly<Partial<Record<ModelKind, DiscoveredModel>>>;
  /** Model ids in catalog order; may be incomplete if discovery stopped early. */
  readonly listed: readonly string[];
  /** Set if `listed` is one part of a catalog that is checked in several parts. */
  readonly isPart?: true;
  readonly problems: readonly string[];
  /** Reasons why a configured model, or the only model of a kind, cannot be used. Each makes the check incomplete. */
  readonly lost: readonly string[];
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
