import { expect, test } from 'vitest';
import { writeEntry } from './changelog.ts';

const diff = (before: string, changelog: string) => ({
  name: '@acme/models',
  bump: 'minor' as const,
  versions: { before, after: before, suggested: '0.3.0' },
  changes: [],
  changelog,
});
const entry = '### Compatible\n\n- `maker/one` model added\n';

test.each<[string, string, string]>([
  ['creates a changelog', '', `# Changelog\n\n## 0.3.0\n\n${entry}`],
  [
    'adds a section above the released ones and keeps their text',
    '# Changelog\n\nWritten by hand.\n\n## 0.2.0\n\n- edited\n\n## 0.1.0\n\n- first\n',
    `# Changelog\n\nWritten by hand.\n\n## 0.3.0\n\n${entry}\n## 0.2.0\n\n- edited\n\n## 0.1.0\n\n- first\n`,
  ],
  [
    'replaces the sections of versions that were not released',
    '# Changelog\n\n## 0.3.0\n\n- earlier\n\n## 0.2.1\n\n- patch\n\n## 0.2.0\n\n- edited\n',
    `# Changelog\n\n## 0.3.0\n\n${entry}\n## 0.2.0\n\n- edited\n`,
  ],
  ['does not change a changelog that has a different title', 'Ours.\n', 'Ours.\n'],
])('%s when adding an entry', (_, text, expected) => {
  const written = writeEntry(text, diff('0.2.0', entry), '0.3.0');
  expect(written).toBe(expected);
  // Adding the same entry again changes nothing.
  expect(writeEntry(written, diff('0.2.0', entry), '0.3.0')).toBe(written);
});
