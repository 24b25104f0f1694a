/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

export interface paths {
    "/api/v2/jobs/{id}/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workflow behind a job
         * @description A resource of its own beside the job, which keeps polling the job cheap. How the job was submitted decides the format,
         *     nothing in this call does. It lives as long as the job, until `expires_at`, and gives 404 under exactly the conditions that
         *     the lookup of the job does: unknown, foreign and expired jobs. Do not keep the answer by job id, for a saved workflow may become unreadable later.
         */
        get: operations["readJobWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Told apart by `format`; read it first, and keep what has an unknown one as it is. */
        JobWorkflow: components["schemas"]["SavedJobWorkflow"] | components["schemas"]["ApiJobWorkflow"];
        /**
         * @description The workflow as its author saved it in the cloud editor, verbatim and at the version that the job ran. Layout and nodes of
         *     the editor alone, such as notes, are in it; get and set nodes stand as drawn. Only for a job pinned to a version of a workflow, which today means one started
         *     from the cloud editor.
         */
        SavedJobWorkflow: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            format: "save";
            workflow: components["schemas"]["Workflow"];
        };
        /**
         * @description The graph that was run, as the `workflow` field of a submission holds it: nodes of the editor alone, such as notes, are
         *     gone, get and set nodes are expanded. Jobs submitted over this API get it, until submissions can pin a version; so does a pinned job whose
         *     version, or the whole workflow it belongs to, the caller can no longer read, for example because it was deleted. That is
         *     no error. Never holds the submission's `extra_data`, which may carry a live credential.
         */
        ApiJobWorkflow: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            format: "api";
            workflow: components["schemas"]["Workflow"];
        };
        /** @description Free in form; hand it on as it is, unknown members included. */
        Workflow: {
            [key: string]: unknown;
        };
        ErrorEnvelope: {
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description For people. Only that of `upstream_error` is sure to be fit for end users. */
                message: string;
                /** @description Free in form, for example lists of field and reason by node id. Absent and null mean the same. */
                details?: {
                    [key: string]: unknown;
                } | null;
            };
        };
        /**
         * @description What went wrong. Open: fifteen codes are known, on whichever operation they come; read an unknown one by its status. With
         *     each of the three codes of a 429 comes `Retry-After`.
         *
         *     Known values: invalid_workflow, workflow_format_ui, missing_asset, hash_mismatch, blob_not_found, idempotency_key_reuse, queue_full, insufficient_credits, not_found, unauthorized, forbidden, deployment_not_ready, deployment_stopped, rate_limited, upstream_error.
         */
        ErrorCode: string;
    };
    responses: {
        /** @description The deployment asks for a credential, and none or a wrong one was sent. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The account may not use this. A foreign job is no case of it. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description No such job for this caller, be it unknown, somebody else's, or past its retention. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description Not listed for this operation. A stopped deployment is taken to answer so on whatever is scoped to it; that is final, and
         *     retrying cannot help before an operator acts.
         */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description Wait `Retry-After`, then try again. Comes for any job id, so it says nothing about the job. `error.code` alone tells what is
         *     short.
         */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Something behind the service failed. The message is always a general one, without details of the implementation. */
        UpstreamError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description A status that is not listed for this operation, which is taken to be possible all the same. The examples are codes at home
         *     on other operations of the API.
         */
        OtherFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the job. Any text that is not empty.
         *
         *     Length: at least 1.
         * @example 0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a02
         */
        JobId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Whole seconds to wait before trying again.
         *
         *     Range: at least 0.
         * @example 5
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readJobWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job. Any text that is not empty.
                 *
                 *     Length: at least 1.
                 * @example 0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a02
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow, in the shape that `format` names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobWorkflow"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["UpstreamError"];
            default: components["responses"]["OtherFailure"];
        };
    };
}
