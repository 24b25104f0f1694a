/** A page of the template of this name: every slot has a value, and each text goes into it escaped. */
export type RenderPage = (name: string, data: Readonly<Record<string, unknown>>) => string;

/** Compiles templates by their names, which are also those of partials. */
export async function compileTemplates(texts: Iterable<readonly [name: string, text: string]>): Promise<RenderPage> {
  // Most commands render no page.
  const { default: handlebars } = await import('handlebars');
  const own = handlebars.create();
  // Strict: a slot without data is a mistake and no empty text.
  const options = { strict: true, knownHelpersOnly: true, preventIndent: true };
  const compiled = new Map([...texts].map(([name, text]) => [name, own.compile(text, options)] as const));
  own.registerPartial(Object.fromEntries(compiled));
  return (name, data) => compiled.get(name)?.(visible(data)) ?? '';
}

/** Without characters that hide or reorder others, or that a reader takes as a command: each becomes U+FFFD. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv, '\uFFFD');
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visible(part)]));
}
