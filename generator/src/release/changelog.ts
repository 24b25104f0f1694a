import type { PackageDiff } from '../diff/diff-report.ts';

const title = '# Changelog\n';
const heading = /^## (\S+)$/;

/**
 * The text of a CHANGELOG.md with the changes since the last release as the section of `version`. Sections of versions that were
 * raised since then, and not released, are replaced. A text that does not begin with our title is not ours: it stays.
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
  const entry = changelog === '' ? 'The files were made again; nothing changes for users.\n' : changelog;
  const rest = released < 0 ? [] : [lines.slice(released).join('\n')];
  return [title, ...(intro === '' ? [] : [`${intro}\n`]), `## ${version}\n`, entry, ...rest].join('\n');
}
