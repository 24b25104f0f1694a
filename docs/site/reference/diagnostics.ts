import { diagnosticTexts } from '../../../generator/src/index.ts';
import { escapeText } from './markdown.ts';

/** Every diagnostic of `generate`, with what to do. */
export function diagnosticsPage(): string {
  const sections = Object.entries(diagnosticTexts).map(([id, text]) => `## ${id}\n\n${escapeText(text)}\n`);
  return `# Diagnostics\n\nWhat \`switchyard generate\` reports, by its code; \`switchyard explain CODE\` prints the same.\n\n${sections.join('\n')}`;
}
