// Plain JavaScript for Node 20 and newer, because this runs before a suitable Node is found.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The oldest Node that runs the published package, and the Node that the repository is developed on. */
export const supported = '22.18.0';
export const developed = '24.18.0';

/**
 * Returns true if a version is the given one or newer.
 * @param {string} version with or without a leading `v`
 * @param {string} least `major.minor.patch`
 * @returns {boolean}
 */
export function isAtLeast(version, least) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Finds a Node that is recent enough: the current one, or a `node` package that is installed in or above one of the folders.
 * @param {string[]} folders where to look for an installed `node` package
 * @param {string} least `major.minor.patch`
 * @returns {string | undefined} the path of an executable
 */
export function findNode(folders, least) {
  if (isAtLeast(process.version, least)) return process.execPath;
  for (const folder of folders) {
    try {
      const manifest = createRequire(join(folder, 'package.json')).resolve('node/package.json');
      const { version } = createRequire(manifest)(manifest);
      const executable = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (isAtLeast(version, least) && existsSync(executable)) return executable;
    } catch {
      // Not installed here; try the next folder.
    }
  }
  return undefined;
}
