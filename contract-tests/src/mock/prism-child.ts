import { createRequire } from 'node:module';
import type { OpenApiDocument } from '../../../specs/src/index.ts';

/** What the parent sends first, and what it is told. */
export type MockOrder = { readonly documents: readonly OpenApiDocument[]; readonly ports: readonly number[] };
export type MockNews =
  | { readonly kind: 'ready'; readonly urls: readonly string[] }
  | { readonly kind: 'failed'; readonly because: string };

type PrismServer = typeof import('@stoplight/prism-http-server');
type PrismHttp = typeof import('@stoplight/prism-http');

// Its libraries are CommonJS without a face for `import`; `require` has no types, hence the `as`.
const load = createRequire(import.meta.url);

process.once('message', (order: MockOrder) => {
  void start(order).then(report, (error: unknown) =>
    report({ kind: 'failed', because: error instanceof Error ? error.message : String(error) }),
  );
});
// A parent that died cannot end us: the broken channel does.
process.on('disconnect', () => process.exit(0));
// Known bugs of the mock reject without a handler; one bad answer must not end the server.
process.on('unhandledRejection', () => undefined);

async function start({ documents, ports }: MockOrder): Promise<MockNews> {
  const urls: string[] = [];
  for (const [index, document] of documents.entries()) urls.push(await serve(document, ports[index] ?? 0));
  return { kind: 'ready', urls };
}

async function serve(document: OpenApiDocument, port: number): Promise<string> {
  const { createServer } = load('@stoplight/prism-http-server') as PrismServer;
  const { getHttpOperationsFromSpec } = load('@stoplight/prism-http') as PrismHttp;
  const operations = await getHttpOperationsFromSpec(document);
  const server = createServer(operations, {
    cors: false,
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: false,
      errors: false,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
    components: { logger: silentLogger() },
  });
  return await server.listen(port, '127.0.0.1');
}

type Logger = Parameters<PrismServer['createServer']>[1]['components']['logger'];

function silentLogger(): Logger {
  const nothing = (): undefined => undefined;
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'success'].map((level) => [level, nothing]);
  const logger = { ...Object.fromEntries(levels), child: () => logger };
  return logger as Logger; // the mock calls the levels and `child`, nothing else of a logger
}

function report(news: MockNews): void {
  process.send?.(news);
}
