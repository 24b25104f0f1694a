/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
/**
 * For `router.use`: a span for each call by the conventions for generative AI, within it a span for each attempt by those for HTTP, and
 * `traceparent` with each request. Without an SDK that the program sets up, nothing is recorded.
 */
export function openTelemetry() {
    const tracer = trace.getTracer('model-router-client');
    const calls = new Map();
    return {
        onStart({ callId, operation, model }) {
            const attributes = {
                'gen_ai.operation.name': 'generate_content',
                'gen_ai.provider.name': model?.split('/')[0],
                'gen_ai.request.model': model,
            };
            const isRun = operation === 'run' || operation === 'subscribe' || operation === 'submit';
            const name = `${isRun ? 'generate_content' : operation} ${model ?? ''}`.trim();
            calls.set(callId, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: isRun ? attributes : {} }));
        },
        onEnd({ callId, error }) {
            const span = calls.get(callId);
            calls.delete(callId);
            // Its message is redacted, which that of an attempt is not.
            if (error !== undefined && span !== undefined)
                fail(span, readErrorType(error), error.message);
            span?.end();
        },
        async middleware(request, next) {
            const call = calls.get(request.callId);
            const outer = call === undefined ? context.active() : trace.setSpan(context.active(), call);
            const span = tracer.startSpan(request.method, { kind: SpanKind.CLIENT, attributes: describe(request) }, outer);
            const headers = { ...request.headers };
            propagation.inject(trace.setSpan(outer, span), headers);
            try {
                const response = await next({ ...request, headers });
                span.setAttribute('http.response.status_code', response.status);
                if (response.status >= 400)
                    fail(span, String(response.status));
                return response;
            }
            catch (error) {
                fail(span, error instanceof Error ? error.name : 'error');
                throw error;
            }
            finally {
                span.end();
            }
        },
    };
}
function readErrorType(error) {
    return 'category' in error ? (error.category.header ?? error.category.body ?? error.category.known) : error.kind;
}
function describe({ url, attributes }) {
    const { hostname, port, protocol } = new URL(url);
    const address = { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
    return { ...attributes, ...address };
}
function fail(span, type, message) {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}
