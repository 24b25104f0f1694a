import type { CheckedDocument, CheckResult } from './problem.ts';

/** Whether the OpenAPI schema accepts the document, as swagger-parser judges it. */
export async function checkValidity({ name, content }: CheckedDocument): Promise<CheckResult> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    // The library follows references in place and has types for a parsed file only.
    await SwaggerParser.validate(structuredClone(content) as never, { resolve: { external: false } });
    return { problems: [], seen: 1 };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [{ check: 'validity', document: name, place: '', message }], seen: 1 };
  }
}
