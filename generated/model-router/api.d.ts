/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

export interface paths {
    "/v2/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be run
         * @description One page of the catalog. Go on with `next_cursor` while `has_more` is true, however few entries a page holds. Paging
         *     is no snapshot: a model added behind the current position may be missed, and a cursor may end with the build of the
         *     catalog that it was made for.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        /** Read one catalog entry */
        get: operations["readModel"];
        put?: never;
        /**
         * Run a model and wait for its result
         * @description The connection may be held for ten minutes by default, so set client timeouts above that: a typed 504 is worth more than a local
         *     abort. Giving up locally ends the waiting, but does not necessarily cancel work that a provider has accepted, and
         *     finished work may be billed. Where ten minutes are too long, submit to the queue instead.
         *
         *     Without `model_provider`, or with `strict_mode=true`, the body reaches the provider as it was sent. Otherwise it is
         *     converted for the alternate provider, and native fields without an exact equivalent are dropped and disclosed in
         *     `X-Service-Router-Dropped-Params`. A fallback to another provider converts the body and discloses its drops too.
         *
         *     Limits of a workspace show as 409, 413 or 429. After a 504 without `Retry-After`, any other 5xx or no answer, keep the
         *     key and the request: repeat them a limited number of times, and never without the key.
         */
        post: operations["runModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        /**
         * Read the schema document of a model
         * @description The only operation that heeds entity tags. Keep the bytes with their tag, in a private cache only, and send the tag
         *     back to learn whether the document has changed.
         */
        get: operations["readSchemaDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a run to the queue
         * @description Takes the same body as the synchronous run, checks it against the model's input schema, and answers with a handle at
         *     once. There are no query parameters; the model's own provider serves it. After a 5xx or no answer, repeat a submission
         *     a limited number of times, and never without its key.
         */
        post: operations["submitRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        /** Collect the result of a queued run */
        get: operations["collectRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}/requests/{request_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        /**
         * Read the status of a queued run
         * @description Never holds the result. A completed request is collected by its `response_url`.
         */
        get: operations["readStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{provider}/{model}/requests/{request_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Ask for the cancellation of a queued run
         * @description A request, not a promise: a run that is already live at the provider may still finish, and is billed once its result is
         *     generated. Read the status afterwards to learn the outcome. Both 202 and 409 are outcomes with the same body; the call
         *     itself has none.
         */
        put: operations["cancelRequest"];
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
        /**
         * @description Lowercase letters and digits; single dots, underscores and hyphens may stand between them.
         *
         *     Length: 1 to 64.
         */
        ProviderSlug: string;
        /**
         * @description Lowercase letters and digits; single dots, underscores and hyphens may stand between them.
         *
         *     Length: 1 to 128.
         */
        ModelSlug: string;
        /**
         * @description Provider, one slash, model. The slash parts two path segments and is never encoded.
         *
         *     Length: 3 to 193.
         */
        ModelId: string;
        /**
         * @description A place in one build of the catalog, made by the router and opaque: to be handed back unchanged. It is neither an offset nor
         *     a model id, has no order, and may stop working when the catalog is rebuilt.
         *
         *     Length: 1 to 512.
         */
        Cursor: string;
        /** @description Facts about billing only, never a price or a usage figure. */
        Billing: {
            /**
             * @description Whether a run refused for its content is charged: `yes`, `no`, or `unknown`, which may mean charged. Read any other
             *     word as `unknown`, and compare the words themselves.
             *
             *     Known values: yes, no, unknown.
             */
            charges_on_policy_rejection: string;
        };
        CatalogEntry: {
            /** @description Length: 3 to 193. */
            id: components["schemas"]["ModelId"];
            /** @description Length: 1 to 64. */
            provider: components["schemas"]["ProviderSlug"];
            /** @description Length: 1 to 128. */
            model: components["schemas"]["ModelSlug"];
            billing: components["schemas"]["Billing"];
        };
        ModelDetail: components["schemas"]["CatalogEntry"] & {
            /**
             * Format: uri
             * @description Where the model's schema document lies. For information; `readSchemaDocument` serves it in any case.
             *
             *     Length: at most 2048.
             */
            input_schema_url?: string;
        };
        ModelList: {
            /**
             * @description No more entries than `limit` says; may be short or empty while `has_more` is true.
             *
             *     Entries: at most 100.
             */
            data: components["schemas"]["CatalogEntry"][];
            /** @description Whether another page follows. Decides alone when paging ends. */
            has_more: boolean;
            /**
             * @description To be sent as `cursor` for the page that follows. Expected while `has_more` is true.
             *
             *     Length: 1 to 512.
             */
            next_cursor?: components["schemas"]["Cursor"];
            /**
             * @description The page size that was used.
             *
             *     Range: 1 to 100.
             */
            limit: number;
        };
        /** @description Free here; the model's schema document says what is in it. */
        ModelInput: {
            [key: string]: unknown;
        };
        /**
         * @description Whatever the model gives, in its own shape; there is no common wrapper, and the router does not check it against the
         *     model's output schema. Numbers about cost or usage in it are the provider's, not charges of this service.
         *
         *     Assets stand in it as URLs, as inline bytes, or both. What some providers give is copied to storage of the service, and
         *     its URL replaced; the model decides, no header does. Only what a row of this table names is copied. Other models give
         *     their provider's references or inline bytes.
         *
         *     | kind of provider | copied | hosted URL is valid for at most |
         *     |---|---|---|
         *     | image generation | completed assets; draft cache assets, if the result has any | 24 hours |
         *     | video, its video models only | completed video; last-frame image, if the result has one | 24 hours |
         *     | a second one for video | completed video | 12 hours |
         *     | images and video | every generated image; completed video | 24 hours |
         *
         *     Other image models of the provider in the video row are not copied.
         *
         *     A further video provider has a storage path of its own. Each entry of its `response.videos[]` has `bytesBase64Encoded`,
         *     the clip inline, or, when the environment is set for the provider to write directly to storage of the service, `gcsUri`:
         *     an HTTPS link signed by the service and valid for 24 hours from the response. Read the one that is there.
         *
         *     Validity counts from the signing of a URL, so one from a cache or a replay may have less left, and a replay renews none:
         *     download promptly. Copying is tried for each asset by itself. Where it fails the provider's reference stays, the run
         *     still succeeds and is billed; a result may hold URLs of both kinds, and nothing says of a single asset whether it was
         *     copied: one hosted asset says nothing about the validity of the other URLs. Provider URLs last as long as their provider likes. Whether a result is hosted also decides whether its key can
         *     give it again.
         */
        ModelOutput: unknown;
        /** @description The bytes that a binary model gives, to be handed on unharmed. */
        ModelOutputBytes: unknown;
        /**
         * @description A standalone OpenAPI document about one model. The body of its POST operation is the input, and the router checks inputs
         *     against it when it is authored. Its 200, where authored, tells the output, which nobody checks; an output that is not
         *     authored may have the media type `*\/*`, so read the Content-Type of a result before decoding it.
         */
        SchemaDocument: {
            openapi: string;
            info: {
                "x-service-input-schema-authored"?: components["schemas"]["InputSchemaAuthored"];
            } & {
                [key: string]: unknown;
            };
            paths?: {
                [key: string]: unknown | {
                    post?: {
                        "x-service-input-schema-authored"?: components["schemas"]["InputSchemaAuthored"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            "x-service-input-schema-authored"?: components["schemas"]["InputSchemaAuthored"];
        } & {
            [key: string]: unknown;
        };
        /** @description False means that any JSON object is accepted unseen, and the provider alone judges it. */
        InputSchemaAuthored: boolean;
        /**
         * Format: uuid
         * @description Length: 36.
         */
        RequestId: string;
        /**
         * @description Closed: three values, of which only the last is named by the API; a fourth would be a breaking change. The other two are
         *     assumed words for waiting and for running (setting `queueStatuses`). Read any other word as not complete.
         * @enum {string}
         */
        QueueStatus: "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED";
        /**
         * @description How many requests were ahead when the answer was built; 0 is the front.
         *
         *     Range: at least 0.
         */
        QueuePosition: number;
        /** Format: uri */
        AbsoluteUrl: string;
        /** @description The handle. It has no `error_type`. */
        SubmitResponse: {
            /** @description Length: 36. */
            request_id: components["schemas"]["RequestId"];
            status: components["schemas"]["QueueStatus"];
            /** @description Range: at least 0. */
            queue_position?: components["schemas"]["QueuePosition"];
            /** @description Where to read the status. */
            status_url: components["schemas"]["AbsoluteUrl"];
            /** @description Where to collect the result. */
            response_url: components["schemas"]["AbsoluteUrl"];
            /** @description Where to ask for cancellation. */
            cancel_url: components["schemas"]["AbsoluteUrl"];
        };
        /**
         * @description The handle as it stands. `COMPLETED` without `error_type` is success; with it, failure or cancellation. A success leaves
         *     the member out, it is never null.
         */
        StatusResponse: {
            /** @description Length: 36. */
            request_id: components["schemas"]["RequestId"];
            status: components["schemas"]["QueueStatus"];
            /** @description Range: at least 0. */
            queue_position?: components["schemas"]["QueuePosition"];
            error_type?: components["schemas"]["ErrorType"];
            /** @description Where to read the status. */
            status_url: components["schemas"]["AbsoluteUrl"];
            /** @description Where to collect the result. */
            response_url: components["schemas"]["AbsoluteUrl"];
            /** @description Where to ask for cancellation. */
            cancel_url: components["schemas"]["AbsoluteUrl"];
        };
        /** @description The handle of a request that is not complete. */
        PendingResponse: components["schemas"]["StatusResponse"] & {
            /** @enum {unknown} */
            status?: "IN_QUEUE" | "IN_PROGRESS";
        };
        /** @description What a cancellation came to. Each of the two statuses of the answer has its word. */
        CancelResponse: {
            /** @description Length: 36. */
            request_id: components["schemas"]["RequestId"];
            /** @enum {string} */
            status: "CANCELLATION_REQUESTED" | "ALREADY_COMPLETED";
        };
        CancellationRequested: components["schemas"]["CancelResponse"] & {
            /** @constant */
            status?: "CANCELLATION_REQUESTED";
        };
        AlreadyCompleted: components["schemas"]["CancelResponse"] & {
            /** @constant */
            status?: "ALREADY_COMPLETED";
        };
        Error: {
            /** @description For people; may be shown to end users. Not to be parsed. */
            detail: string;
            error_type: components["schemas"]["ErrorType"];
        };
        /** @description One entry for each failing field. The category is in the header and not in this body. */
        ValidationError: {
            detail: components["schemas"]["FieldError"][];
        };
        FieldError: {
            /** @description The way to the field, outermost part first; an integer is an index into an array. */
            loc: (string | number)[];
            /** @description The reason, for people. */
            msg: string;
            /** @description The reason, for programs, in the provider's own words, such as a missing field or a file too large. */
            type: string;
            /** @description The bound that was broken, in the provider's terms; absent when there is none. */
            ctx?: {
                [key: string]: unknown;
            };
            /** @description The value that was refused, null included; absent when the provider does not repeat it. */
            input?: unknown;
        };
        /**
         * @description Category of a failure. Open: eighteen are known, more will come, and an unknown one counts as `internal_error`. The first six of
         *     the list are at request level: the router accepted the request, but did not complete it. The others are at transport level:
         *     the router itself raises them.
         *
         *     Known values: invalid_input, content_policy_violation, provider_error, provider_timeout, insufficient_credits, model_not_found, unauthorized, forbidden, concurrency_limit_exceeded, client_disconnected, internal_error, deadline_exceeded, not_enabled, service_unavailable, rate_limited, cancelled, queue_timeout, request_not_found.
         */
        ErrorType: string;
        /** @description Range: 100 to 999. */
        UpstreamStatus: number;
        /** @description Range: at least 0. */
        Seconds: number;
        /** @description Range: at least 0. */
        Cents: number;
    };
    responses: {
        /** @description No usable credential came with the call. */
        Unauthorized: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.unauthorized"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A failure at request level, for example because the workspace has too few credits for the run. */
        NotAffordable: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.insufficient_credits"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is valid, but not for this model or operation, or the router is not enabled for the caller. */
        Forbidden: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.forbidden"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The id names no model that can be run. */
        ModelNotFound: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.model_not_found"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller has no such request under this model, or the model is unknown; decide by the category. */
        RequestNotFound: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.request_not_found"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The key stands in the way. `concurrency_limit_exceeded`: its first call is still running; wait `Retry-After` and resend.
         *     `invalid_input`: it belongs to another request, or its result cannot be given again; waiting does not help. Restore the
         *     original request. Use a new key only to start a new call on purpose, which may be billed again.
         */
        KeyConflict: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.concurrency_limit_exceeded"];
                /**
                 * @description Whole seconds to wait before the same request is sent with the same key.
                 *
                 *     Range: at least 0.
                 * @example 5
                 */
                "Retry-After"?: components["schemas"]["Seconds"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the router takes. */
        BodyTooLarge: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The queued request failed as a whole: it never reached the model, or ended for a reason the model did not give.
         *     Final, like a completed status with an `error_type`.
         */
        RequestFailed: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.queue_timeout"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Something the router depends on is down for the moment. Retry with backoff, a POST only with its key. For a listing it does
         *     not mean that the catalog is empty.
         */
        ServiceUnavailable: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.service_unavailable"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Any other failure. After `rate_limited`, wait `Retry-After`. A 5xx, except a 504 `deadline_exceeded` with `Retry-After`,
         *     does not tell what became of accepted work.
         */
        OtherFailure: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.internal_error"];
                /**
                 * @description The HTTP status of the provider's own answer; absent when there was none.
                 *
                 *     Range: 100 to 999.
                 * @example 400
                 */
                "X-Service-Upstream-Status"?: components["schemas"]["UpstreamStatus"];
                /**
                 * @description Whole seconds to wait before the same request is sent with the same key.
                 *
                 *     Range: at least 0.
                 * @example 5
                 */
                "Retry-After"?: components["schemas"]["Seconds"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A status that is not listed for this operation, which is taken to be possible all the same. After `rate_limited`, wait
         *     `Retry-After`. A 5xx, except a 504 `deadline_exceeded` with `Retry-After`, does not tell what became of accepted work.
         */
        UnlistedFailure: {
            headers: {
                "X-Service-Request-Id": components["headers"]["RequestId"];
                "X-Service-Error-Type": components["headers"]["ErrorType.internal_error"];
                /**
                 * @description The HTTP status of the provider's own answer; absent when there was none.
                 *
                 *     Range: 100 to 999.
                 * @example 400
                 */
                "X-Service-Upstream-Status"?: components["schemas"]["UpstreamStatus"];
                /**
                 * @description Whole seconds to wait before the same request is sent with the same key.
                 *
                 *     Range: at least 0.
                 * @example 5
                 */
                "Retry-After"?: components["schemas"]["Seconds"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The part of the model id before its slash.
         *
         *     Length: 1 to 64.
         * @example image-provider
         */
        Provider: components["schemas"]["ProviderSlug"];
        /**
         * @description The part of the model id after its slash.
         *
         *     Length: 1 to 128.
         * @example still-2.1
         */
        Model: components["schemas"]["ModelSlug"];
        /**
         * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
         *
         *     Length: 1 to 36.
         * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
         */
        RequestId: string;
        /**
         * @description The `next_cursor` of the page before, exactly as received. Opaque.
         *
         *     Length: 1 to 512.
         * @example NjdlNGVhYjE2MWRiYWEzYi4yMC40MTAyNDQ0ODAwMDAwLkJYUFk4eXp0a2xRVUZZNW1qLWs0LUM
         */
        Cursor: components["schemas"]["Cursor"];
        /**
         * @description Page size wished for. Every integer is accepted: above 100 it counts as 100, below 1 as the default; hence no bounds
         *     here. The page says which size was used.
         * @default 20
         * @example 20
         */
        Limit: number;
        /**
         * @description Makes a repetition safe: the same key with the same method, path, query and body, under the same credential, gives the
         *     recorded result. Use a fresh UUID per logical call, store it with model id and body before sending, and keep it when a
         *     call times out, since a new key may start a second billed run. No answer repeats the key.
         *
         *     * A refusal before a provider was called sets the key free. After that the router may hold on to the provider's work,
         *       or the key may be used up: by an oversized response, by a response that could not be stored, or by an asset that is
         *       not safe to give again. No waiting brings such a result back, and a new key starts a new call instead of fetching it.
         *     * A key belongs to the workspace of the credential, or to the user where the credential has none. Another member's key
         *       may give that member's result or a conflict; another credential may start a separate billed call.
         *     * Results and what is needed to collect them are kept for 24 hours, which repetitions do not extend. Afterwards the key
         *       gives no earlier result, does not prevent a new run, and does not renew the URLs of assets.
         *
         *     Length: 1 to 255.
         */
        IdempotencyKey: string;
        /**
         * @description Another provider of this model, to serve the call in place of the default one.
         * @example image-provider-two
         */
        ModelProvider: string;
        /**
         * @description With true, neither body nor result is converted: the body must be in the alternate provider's own shape. Means nothing
         *     without `model_provider`.
         * @default false
         * @example false
         */
        StrictMode: boolean;
        /**
         * @description Whether another registered provider may serve the call when the first attempt fails through the router or that
         *     provider. The body is then converted for that provider, and `X-Service-Router-Dropped-Params` names what was dropped. A
         *     failure that the request itself caused is returned as it is.
         * @example image-provider-two
         */
        FallbackProvider: string;
        /**
         * @description The entity tag of an earlier 200, unchanged. Send it on this operation only.
         * @example "0c4f6a7be1d2"
         */
        IfNoneMatch: string;
    };
    requestBodies: {
        /** @description What the model takes, in its own shape, as its schema document describes it. */
        ModelInput: {
            content: {
                "application/json": components["schemas"]["ModelInput"];
            };
        };
    };
    headers: {
        /**
         * @description Given anew by the router to each call; quote it when asking for help.
         *
         *     Length: at least 1.
         * @example req_01j9x4t7mz3k
         */
        RequestId: string;
        /**
         * @description The category of the failure, equal to `error_type` of a body that has it. A 422 has it here only.
         * @example invalid_input
         */
        "ErrorType.invalid_input": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example unauthorized
         */
        "ErrorType.unauthorized": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example forbidden
         */
        "ErrorType.forbidden": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example insufficient_credits
         */
        "ErrorType.insufficient_credits": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example model_not_found
         */
        "ErrorType.model_not_found": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example request_not_found
         */
        "ErrorType.request_not_found": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example concurrency_limit_exceeded
         */
        "ErrorType.concurrency_limit_exceeded": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example queue_timeout
         */
        "ErrorType.queue_timeout": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example rate_limited
         */
        "ErrorType.rate_limited": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example provider_error
         */
        "ErrorType.provider_error": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example internal_error
         */
        "ErrorType.internal_error": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example service_unavailable
         */
        "ErrorType.service_unavailable": components["schemas"]["ErrorType"];
        /**
         * @description The category of the failure, equal to `error_type` of the body.
         * @example deadline_exceeded
         */
        "ErrorType.deadline_exceeded": components["schemas"]["ErrorType"];
        /**
         * @description May be there; the outcome needs no category.
         * @example invalid_input
         */
        ErrorTypeOfOutcome: components["schemas"]["ErrorType"];
        /**
         * @description The HTTP status of the provider's own answer.
         *
         *     Range: 100 to 999.
         * @example 500
         */
        UpstreamStatus: components["schemas"]["UpstreamStatus"];
        /**
         * @description The HTTP status of the provider's own answer; absent when there was none.
         *
         *     Range: 100 to 999.
         * @example 400
         */
        UpstreamStatusOfRefusal: components["schemas"]["UpstreamStatus"];
        /**
         * @description The HTTP status of the provider's own answer so far; absent when there was none.
         *
         *     Range: 100 to 999.
         * @example 202
         */
        UpstreamStatusOfAcceptedWork: components["schemas"]["UpstreamStatus"];
        /**
         * @description JSON text of an array with one sentence for each native field that a conversion could not express, and why, be it the
         *     conversion that `model_provider` asks for or that of a fallback. Decode it as JSON, and once more if that gives a string;
         *     never split it at commas. Absent when nothing was dropped.
         * @example ["seed was dropped: the provider that served the call takes none."]
         */
        RouterDroppedParams: string;
        /**
         * @description The provider that served the call after the first one failed. Absent unless such a retry succeeded.
         *
         *     Length: at least 1.
         * @example image-provider-two
         */
        RouterFallbackProvider: string;
        /**
         * @description True when the answer comes from the record of the key and not from a new run: a recorded result, or a generation that the
         *     key has collected now that it is finished. Absent means false.
         * @example false
         */
        IdempotentReplayed: boolean;
        /**
         * @description True only for a refusal of the provider that the key has recorded; absent means false.
         * @example false
         */
        IdempotentReplayedOfRefusal: boolean;
        /**
         * @description Whole seconds to wait before the next poll.
         *
         *     Range: at least 0.
         * @example 2
         */
        RetryAfter: components["schemas"]["Seconds"];
        /**
         * @description Whole seconds to wait before the next poll; expected until the request is complete.
         *
         *     Range: at least 0.
         * @example 2
         */
        RetryAfterWhilePending: components["schemas"]["Seconds"];
        /**
         * @description Whole seconds to wait before the same request is sent with the same key, to collect work that a provider has accepted.
         *     Absent when nothing is kept.
         *
         *     Range: at least 0.
         * @example 5
         */
        RetryAfterOfAcceptedWork: components["schemas"]["Seconds"];
        /**
         * @description Whole seconds to wait before the same request is sent with the same key.
         *
         *     Range: at least 0.
         * @example 5
         */
        RetryAfterIfKnown: components["schemas"]["Seconds"];
        /**
         * @description Cap, in cents, on the partner spend that calls in flight may have committed together. Funds are reserved from the
         *     admission of a call until it ends.
         *
         *     Range: at least 0.
         * @example 10000
         */
        CommittedSpendLimit: components["schemas"]["Cents"];
        /**
         * @description Cents that calls in flight have committed now.
         *
         *     Range: at least 0.
         * @example 2500
         */
        CommittedSpendCurrent: components["schemas"]["Cents"];
        /**
         * @description Cents still free under the cap, never below zero.
         *
         *     Range: at least 0.
         * @example 7500
         */
        CommittedSpendRemaining: components["schemas"]["Cents"];
        /**
         * @description Tells browsers to believe the Content-Type.
         * @example nosniff
         */
        NoSniff: "nosniff";
        /**
         * @description Strong entity tag over the bytes of the document.
         * @example "0c4f6a7be1d2"
         */
        EntityTag: string;
        /**
         * @description Always this one value: for private caches only, to be asked about each time. The gate is content with the value that
         *     `x-tolerated` describes, the two directives in any order and letter case beside others.
         * @example private, must-revalidate
         */
        CacheControl: string;
        /**
         * @description May come with models of some providers, and never with a replay. No charge follows from it: usage figures and invoices
         *     of the workspace decide.
         *
         *     Range: at least 0.
         * @example 12
         */
        CreditsUsed: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listModels: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the page before, exactly as received. Opaque.
                 *
                 *     Length: 1 to 512.
                 * @example NjdlNGVhYjE2MWRiYWEzYi4yMC40MTAyNDQ0ODAwMDAwLkJYUFk4eXp0a2xRVUZZNW1qLWs0LUM
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Page size wished for. Every integer is accepted: above 100 it counts as 100, below 1 as the default; hence no bounds
                 *     here. The page says which size was used.
                 * @default 20
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the catalog. */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description The cursor cannot be used. The listing never starts again by itself. */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnlistedFailure"];
        };
    };
    readModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry, with the address of its schema document where the router gives one. */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ModelNotFound"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnlistedFailure"];
        };
    };
    runModel: {
        parameters: {
            query?: {
                /**
                 * @description Another provider of this model, to serve the call in place of the default one.
                 * @example image-provider-two
                 */
                model_provider?: components["parameters"]["ModelProvider"];
                /**
                 * @description With true, neither body nor result is converted: the body must be in the alternate provider's own shape. Means nothing
                 *     without `model_provider`.
                 * @default false
                 * @example false
                 */
                strict_mode?: components["parameters"]["StrictMode"];
                /**
                 * @description Whether another registered provider may serve the call when the first attempt fails through the router or that
                 *     provider. The body is then converted for that provider, and `X-Service-Router-Dropped-Params` names what was dropped. A
                 *     failure that the request itself caused is returned as it is.
                 * @example image-provider-two
                 */
                fallback_provider?: components["parameters"]["FallbackProvider"];
            };
            header?: {
                /**
                 * @description Makes a repetition safe: the same key with the same method, path, query and body, under the same credential, gives the
                 *     recorded result. Use a fresh UUID per logical call, store it with model id and body before sending, and keep it when a
                 *     call times out, since a new key may start a second billed run. No answer repeats the key.
                 *
                 *     * A refusal before a provider was called sets the key free. After that the router may hold on to the provider's work,
                 *       or the key may be used up: by an oversized response, by a response that could not be stored, or by an asset that is
                 *       not safe to give again. No waiting brings such a result back, and a new key starts a new call instead of fetching it.
                 *     * A key belongs to the workspace of the credential, or to the user where the credential has none. Another member's key
                 *       may give that member's result or a conflict; another credential may start a separate billed call.
                 *     * Results and what is needed to collect them are kept for 24 hours, which repetitions do not extend. Afterwards the key
                 *       gives no earlier result, does not prevent a new run, and does not renew the URLs of assets.
                 *
                 *     Length: 1 to 255.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ModelInput"];
        responses: {
            /**
             * @description The result, in the model's native shape and media type; only the Content-Type of the answer says how to decode it.
             *     With `strict_mode=true`, or where a result could not be converted back, it is the alternate provider's own; a failed
             *     conversion is logged by the router. Nobody has checked the result against the model's output schema.
             */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    /**
                     * @description The provider that served the call after the first one failed. Absent unless such a retry succeeded.
                     *
                     *     Length: at least 1.
                     * @example image-provider-two
                     */
                    "X-Service-Router-Fallback-Provider"?: string;
                    /**
                     * @description JSON text of an array with one sentence for each native field that a conversion could not express, and why, be it the
                     *     conversion that `model_provider` asks for or that of a fallback. Decode it as JSON, and once more if that gives a string;
                     *     never split it at commas. Absent when nothing was dropped.
                     * @example ["seed was dropped: the provider that served the call takes none."]
                     */
                    "X-Service-Router-Dropped-Params"?: string;
                    /**
                     * @description True when the answer comes from the record of the key and not from a new run: a recorded result, or a generation that the
                     *     key has collected now that it is finished. Absent means false.
                     * @example false
                     */
                    "Idempotent-Replayed"?: boolean;
                    "X-Committed-Spend-Limit": components["headers"]["CommittedSpendLimit"];
                    "X-Committed-Spend-Current": components["headers"]["CommittedSpendCurrent"];
                    "X-Committed-Spend-Remaining": components["headers"]["CommittedSpendRemaining"];
                    /**
                     * @description May come with models of some providers, and never with a replay. No charge follows from it: usage figures and invoices
                     *     of the workspace decide.
                     *
                     *     Range: at least 0.
                     * @example 12
                     */
                    "X-Service-Credits-Used"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelOutput"];
                    "*/*": unknown;
                    "application/octet-stream": Blob;
                };
            };
            /** @description The request as a whole cannot be run, or the provider refused it. Not for single fields: those are 422. */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    /**
                     * @description The HTTP status of the provider's own answer; absent when there was none.
                     *
                     *     Range: 100 to 999.
                     * @example 400
                     */
                    "X-Service-Upstream-Status"?: components["schemas"]["UpstreamStatus"];
                    /**
                     * @description True only for a refusal of the provider that the key has recorded; absent means false.
                     * @example false
                     */
                    "Idempotent-Replayed"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["KeyConflict"];
            413: components["responses"]["BodyTooLarge"];
            /**
             * @description Single fields are wrong. Found by the router before any provider call, this is not billed. A model whose input is
             *     not authored has its provider judge instead; whether that is billed is not known.
             */
            422: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    /**
                     * @description True only for a refusal of the provider that the key has recorded; absent means false.
                     * @example false
                     */
                    "Idempotent-Replayed"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /**
             * @description `rate_limited`: the request quota is used up; wait `Retry-After`, then send the same request with the same key.
             *     `concurrency_limit_exceeded`: too many calls are in flight, or they have committed all spend allowed at once, which
             *     the spend headers show; have fewer calls running, then send the same request with the same key.
             */
            429: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.rate_limited"];
                    /**
                     * @description Whole seconds to wait before the same request is sent with the same key.
                     *
                     *     Range: at least 0.
                     * @example 5
                     */
                    "Retry-After"?: components["schemas"]["Seconds"];
                    "X-Committed-Spend-Limit": components["headers"]["CommittedSpendLimit"];
                    "X-Committed-Spend-Current": components["headers"]["CommittedSpendCurrent"];
                    "X-Committed-Spend-Remaining": components["headers"]["CommittedSpendRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The provider answered, but its answer could not be made into a result. */
            502: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.provider_error"];
                    "X-Service-Upstream-Status": components["headers"]["UpstreamStatus"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            /**
             * @description A deadline has passed; check the category before a retry. `deadline_exceeded` with `Retry-After` means that the router
             *     keeps a handle to accepted work: wait, then send the same request with the same key to collect it. The work may still
             *     be running then. Without `Retry-After` nothing is known to be kept.
             */
            504: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.deadline_exceeded"];
                    /**
                     * @description The HTTP status of the provider's own answer so far; absent when there was none.
                     *
                     *     Range: 100 to 999.
                     * @example 202
                     */
                    "X-Service-Upstream-Status"?: components["schemas"]["UpstreamStatus"];
                    /**
                     * @description Whole seconds to wait before the same request is sent with the same key, to collect work that a provider has accepted.
                     *     Absent when nothing is kept.
                     *
                     *     Range: at least 0.
                     * @example 5
                     */
                    "Retry-After"?: components["schemas"]["Seconds"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["UnlistedFailure"];
        };
    };
    readSchemaDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The entity tag of an earlier 200, unchanged. Send it on this operation only.
                 * @example "0c4f6a7be1d2"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["EntityTag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaDocument"];
                };
            };
            /** @description The document is the one the tag names. No body. */
            304: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["EntityTag"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ModelNotFound"];
            /** @description The router failed. */
            500: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.internal_error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnlistedFailure"];
        };
    };
    submitRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repetition safe: the same key with the same method, path, query and body, under the same credential, gives the
                 *     recorded result. Use a fresh UUID per logical call, store it with model id and body before sending, and keep it when a
                 *     call times out, since a new key may start a second billed run. No answer repeats the key.
                 *
                 *     * A refusal before a provider was called sets the key free. After that the router may hold on to the provider's work,
                 *       or the key may be used up: by an oversized response, by a response that could not be stored, or by an asset that is
                 *       not safe to give again. No waiting brings such a result back, and a new key starts a new call instead of fetching it.
                 *     * A key belongs to the workspace of the credential, or to the user where the credential has none. Another member's key
                 *       may give that member's result or a conflict; another credential may start a separate billed call.
                 *     * Results and what is needed to collect them are kept for 24 hours, which repetitions do not extend. Afterwards the key
                 *       gives no earlier result, does not prevent a new run, and does not renew the URLs of assets.
                 *
                 *     Length: 1 to 255.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ModelInput"];
        responses: {
            /**
             * @description The request is admitted. A replay answers with the handle of the first submission, whose status and position may be
             *     old.
             */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    /**
                     * @description True when the answer comes from the record of the key and not from a new run: a recorded result, or a generation that the
                     *     key has collected now that it is finished. Absent means false.
                     * @example false
                     */
                    "Idempotent-Replayed"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitResponse"];
                };
            };
            /** @description The request as a whole cannot be admitted. */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["NotAffordable"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["KeyConflict"];
            413: components["responses"]["BodyTooLarge"];
            /**
             * @description Single fields are wrong, so nothing was queued, no provider was called, and nothing is billed. Promised only where the
             *     model's input is authored; otherwise collecting may show it.
             */
            422: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnlistedFailure"];
        };
    };
    collectRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The result, byte for byte and in the media type that the synchronous run would give. Nobody has checked it against the
             *     model's output schema.
             */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    /**
                     * @description May come with models of some providers, and never with a replay. No charge follows from it: usage figures and invoices
                     *     of the workspace decide.
                     *
                     *     Range: at least 0.
                     * @example 12
                     */
                    "X-Service-Credits-Used"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelOutput"];
                    "*/*": unknown;
                    "application/octet-stream": Blob;
                };
            };
            /** @description Not complete yet; poll again after `Retry-After`. */
            202: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RequestNotFound"];
            /** @description The state of the request does not allow this; decide by the category. */
            409: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            410: components["responses"]["RequestFailed"];
            /**
             * @description The model itself refused single fields, which an unauthored input can only show this late. Whether that is billed is
             *     not known.
             */
            422: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            /** @description A deadline has passed; decide by the category. */
            504: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.deadline_exceeded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["OtherFailure"];
        };
    };
    readStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the request stands, complete or not. A failed or cancelled one is complete with an `error_type`. */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    /**
                     * @description Whole seconds to wait before the next poll; expected until the request is complete.
                     *
                     *     Range: at least 0.
                     * @example 2
                     */
                    "Retry-After"?: components["schemas"]["Seconds"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RequestNotFound"];
            410: components["responses"]["RequestFailed"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    cancelRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The part of the model id before its slash.
                 *
                 *     Length: 1 to 64.
                 * @example image-provider
                 */
                provider: components["parameters"]["Provider"];
                /**
                 * @description The part of the model id after its slash.
                 *
                 *     Length: 1 to 128.
                 * @example still-2.1
                 */
                model: components["parameters"]["Model"];
                /**
                 * @description The id of the handle, a lowercase UUID. No pattern here: a malformed id reaches the router, which answers it.
                 *
                 *     Length: 1 to 36.
                 * @example 3f1c2b7a-90de-4c11-8a56-7b0f4e2d9c13
                 */
                request_id: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancellation is requested. */
            202: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationRequested"];
                };
            };
            /** @description The call cannot be understood. */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    "X-Service-Error-Type": components["headers"]["ErrorType.invalid_input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RequestNotFound"];
            /** @description The request was complete already and stays as it is. An outcome, not an error. */
            409: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["RequestId"];
                    /**
                     * @description May be there; the outcome needs no category.
                     * @example invalid_input
                     */
                    "X-Service-Error-Type"?: components["schemas"]["ErrorType"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlreadyCompleted"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
}
