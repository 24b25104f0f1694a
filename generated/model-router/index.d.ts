/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

import type { InputFor, ModelRouterOptions, OutputFor, RouterClient } from "./runtime/router/index.js";

export type * from "./runtime/router/index.js";
export { createMemoryKeyStore, fieldErrors, isRouterError, knownCategories, RouterError, safe } from "./runtime/router/index.js";
export declare function createModelRouter(options?: ModelRouterOptions): RouterClient<Models>;

export type { components, paths } from './api.js';
export { operations } from './operations.js';
export type { ModelDescriptor, ModelDetails, OperationDescriptor, JsonObjectSchema, StandardSchema, ValidationFailure, ValidationOptions, ValidationResult } from "./runtime/descriptor.js";

/** Importing a model's subpath adds its entry. */
export interface ModelsBySubpath {}

/** Importing the subpath `all` adds every model. Apart from the entries by subpath: merged ones would be compared with each other. */
export interface ModelsOfAll {}

/** Input and output by model id, of every model whose subpath, or `all`, is imported. */
export type Models = ModelsOfAll & Omit<ModelsBySubpath, keyof ModelsOfAll>;

/** The input of a model: `InputOf<typeof model>`, or `InputOf<'provider/model'>` once its subpath is imported. */
export type InputOf<Model> = InputFor<Models, Model>;
/** The output of a model, in the same way. */
export type OutputOf<Model> = OutputFor<Models, Model>;

/** The known errors, by the word that an answer names. The set is open: others may come. */
export declare const errorTypes: {
  readonly invalid_input: { readonly meaning: string };
  readonly content_policy_violation: { readonly meaning: string };
  readonly provider_error: { readonly meaning: string };
  readonly provider_timeout: { readonly meaning: string };
  readonly insufficient_credits: { readonly meaning: string };
  readonly model_not_found: { readonly meaning: string };
  readonly unauthorized: { readonly meaning: string };
  readonly forbidden: { readonly meaning: string };
  readonly concurrency_limit_exceeded: { readonly meaning: string };
  readonly client_disconnected: { readonly meaning: string };
  readonly internal_error: { readonly meaning: string };
  readonly deadline_exceeded: { readonly meaning: string };
  readonly not_enabled: { readonly meaning: string };
  readonly service_unavailable: { readonly meaning: string };
  readonly rate_limited: { readonly meaning: string };
  readonly cancelled: { readonly meaning: string };
  readonly queue_timeout: { readonly meaning: string };
  readonly request_not_found: { readonly meaning: string };
};
