/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Model sandbox/outcomes. Made by switchyard 0.1.0; edits are lost.
 * Schema document: sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9, entity tag "f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9"
 * The document is private to those who may read it, and so is this file.
 */

import { validator as input } from "../validators/671e64e001fffc27b33b2d90a25ada31.js";
import { standardSchema } from '../validation/standard-schema.js';

export const model = {
  id: "sandbox/outcomes",
  inputAuthored: true,
  outputAuthored: true,
  outputMediaTypes: ["application/json", "*/*"],
  providers: { default: "sandbox", alternates: [{ provider: "sandbox-two", modelId: "sandbox-two/outcomes" }] },
  chargesOnPolicyRejection: "yes",
  schemaDigest: "sha256:f27547358343d3e35387d06f80bb3f299830e193fa716fb3b885a04fa1d2d2c9",
  loadValidator: (file = "../validators/671e64e001fffc27b33b2d90a25ada31.js") => import(/* webpackIgnore: true */ /* @vite-ignore */ file),
};
export { model as outcomes };

export const details = { title: "sandbox/outcomes", description: "A model of the sandbox whose input selects the outcome.", inputModalities: ["text"], outputModalities: ["text"], exampleInput: { outcome: "echo", prompt: "A lighthouse in fog", delay_ms: 0 }, exampleOutput: { outcome: "succeed", served_by: "sandbox", received: { provider: "sandbox", model: "sandbox/outcomes", bytes: 2, sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" } } };

export const inputSchema = /* @__PURE__ */ standardSchema(input);
export function isInput(value) {
  return input.accepts(value);
}
export function validateInput(value, options) {
  return input.validate(value, options);
}
