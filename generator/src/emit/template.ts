import type { Code } from './source.ts';

/** Fills a file frame. Only printed pieces go in, unescaped; a slot the frame names and nobody fills is an error. */
export async function renderTemplate(source: string, slots: Readonly<Record<string, Code>>): Promise<string> {
  const { default: handlebars } = await import('handlebars');
  const template = handlebars.create().compile(source, { noEscape: true, strict: true, knownHelpersOnly: true });
  return template(Object.fromEntries(Object.entries(slots).map(([name, piece]) => [name, piece.text])));
}
