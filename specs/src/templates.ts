import type { HelperDeclareSpec } from 'handlebars';
import { mapTexts } from './json.ts';
import { visibleText } from './secrets/redactor.ts';

/** A page of the template of this name: every slot has a value, and each text goes into it escaped. */
export type RenderPage = (name: string, data: Readonly<Record<string, unknown>>) => string;

/** Marks HTML that a helper has made itself, so that it is not escaped once more. */
export const markupFrom = (html: string): { toHTML(): string } => ({ toHTML: () => html });

/** Compiles templates by their names, which are also those of partials. */
export async function compileTemplates(
  texts: Iterable<readonly [name: string, text: string]>,
  helpers: HelperDeclareSpec = {},
): Promise<RenderPage> {
  // Most commands render no page.
  const { default: handlebars } = await import('handlebars');
  const own = handlebars.create();
  own.registerHelper(helpers);
  const knownHelpers = Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
  // Strict: a slot without data is a mistake and no empty text.
  const options = { strict: true, knownHelpersOnly: true, knownHelpers, preventIndent: true };
  const compiled = new Map([...texts].map(([name, text]) => [name, own.compile(text, options)] as const));
  own.registerPartial(Object.fromEntries(compiled));
  return (name, data) => compiled.get(name)?.(mapTexts(data, visibleText)) ?? '';
}
