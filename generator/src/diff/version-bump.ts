import type { Bump } from './diff-report.ts';

/** The next version; before 1.0.0 the minor stands for the major, as package managers read it. */
export function bumped(version: string, bump: Bump): string {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null || bump === 'none') return version;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major === 0) return bump === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
