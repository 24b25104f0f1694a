// Plain JavaScript for any Node from 20 on: this is what runs before the right Node is known to be there.
const wanted = [24, 18];

/**
 * Whether a Node of this version can run switchyard.
 * @param {string} version with or without a leading `v`
 * @returns {boolean}
 */
export function isRecent(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

/**
 * The Node that can run switchyard: this one, or the `node` package installed in or above one of the folders.
 * @param {string[]} folders where to look for an installed `node` package
 * @returns {Promise<string | undefined>} the path of an executable
 */
export async function findNode(folders) {
  if (isRecent(process.version)) return process.execPath;
  const [{ existsSync }, { createRequire }, { dirname, join }] = await Promise.all([
    import('node:fs'),
    import('node:module'),
    import('node:path'),
  ]);
  for (const folder of folders) {
    try {
      const manifest = createRequire(join(folder, 'package.json')).resolve('node/package.json');
      const { version } = createRequire(manifest)(manifest);
      const executable = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (isRecent(version) && existsSync(executable)) return executable;
    } catch {
      // Not installed there: the next folder may have it.
    }
  }
  return undefined;
}
