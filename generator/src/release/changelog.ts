import type { PackageDiff } from '../diff/diff-report.ts';

const title = '# Changelog\n';
const heading = /^## (\S+)$/;

/**
 * Adds the changes since the last release to the text of a CHANGELOG.md, as the section of `version`. Replaces sections of
 * versions that were not released. Returns a text that doesn't begin with the generated title unchanged.
 */
export function writeEntry(text: string, { versions, changelog }: PackageDiff, version: string): string {
  if (text !== '' && !text.startsWith(title)) return text;
  const lines = text.split('\n');
  const first = lines.findIndex((line) => heading.test(line));
  const released = lines.findIndex((line) => {
    const [, named] = heading.exec(line) ?? [];
    return named !== undefined && named.localeCompare(versions.before, 'en', { numeric: true }) <= 0;
  });
  const intro = lines
    .slice(1, first < 0 ? undefined : first)
    .join('\n')
    .trim();
  const entry = changelog === '' ? 'The files were generated again; nothing changes for users.\n' : changelog;
  const rest = released < 0 ? [] : [lines.slice(released).join('\n')];
  return [title, ...(intro === '' ? [] : [`${intro}\n`]), `## ${version}\n`, entry, ...rest].join('\n');
}
