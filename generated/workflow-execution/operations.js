/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

export const operations = {
  readJobWorkflow: {
    method: "GET",
    path: "/api/v2/jobs/{id}/workflow",
    parameters: [
      { name: "id", in: "path", required: true },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "422": ["application/json"], "429": ["application/json"], "500": ["application/json"], default: ["application/json"] },
    security: ["bearer"],
    credentialRequired: false,
  },
};
