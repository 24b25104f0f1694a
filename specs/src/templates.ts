import type { HelperDeclareSpec } from 'handlebars';
import { mapTexts } from './json.ts';
import { visibleText } from './secrets/redactor.ts';

/** Renders the template of this name. Every variable must have a value; all text is escaped. */
export type RenderPage = (name: string, data: Readonly<Record<string, unknown>>) => string;

/** Marks HTML from a helper so that it isn't escaped again. */
export const markAsHtml = (html: string): { toHTML(): string } => ({ toHTML: () => html });

/** Compiles templates. Each template can also be used as a partial under its name. */
export async function compileTemplates(
  texts: Iterable<readonly [name: string, text: string]>,
  helpers: HelperDeclareSpec = {},
): Promise<RenderPage> {
  // Loaded on demand, because most commands don't render pages.
  const { default: handlebars } = await import('handlebars');
  const own = handlebars.create();
  own.registerHelper(helpers);
  const knownHelpers = Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
  // Strict, so that a missing value is an error and not an empty text.
  const options = { strict: true, knownHelpersOnly: true, knownHelpers, preventIndent: true };
  const compiled = new Map([...texts].map(([name, text]) => [name, own.compile(text, options)] as const));
  own.registerPartial(Object.fromEntries(compiled));
  return (name, data) => compiled.get(name)?.(mapTexts(data, visibleText)) ?? '';
}
