import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, parse, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import {
  indexLockedFiles,
  lockName,
  type OutputTree,
  outputTreeFrom,
  parseLockfile,
} from '../../generator/src/index.ts';
import { findNearestFolder } from '../../specs/src/index.ts';
import { CommandFailure, toMessage, UsageError } from './errors.ts';

/** Maximum output of one git command, enough for an output with thousands of models. */
const maxOutputBytes = 512 * 1024 * 1024;
const deadlineMs = 30_000;

/** Matches the files to compare: manifests, documents, schemas, and declarations of models. */
const isCompared = /\.json$|^models\/.+\/.+\.d\.ts$/;

/** Disables prompts, network access and locks. The list of protocols overrides the repository's settings. */
const safeEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

/**
 * Overrides settings of the repository, which may be hostile, so that they cannot start a program, and so that git
 * doesn't accept a folder that only looks like a bare repository.
 */
const safeSettings = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.alternateRefsCommand=false',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'gpg.openpgp.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
];

/** Git variables that a machine may need. All others are removed, because they could redirect git or start programs. */
const allowedVariables: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/**
 * Reads the output folder at a git revision, but only files that its lockfile lists; undefined if the revision has no
 * output. Throws UsageError if the revision doesn't exist, CommandFailure if git itself fails.
 */
export async function findOutputAt(revision: string, folder: string): Promise<OutputTree | undefined> {
  const repository = await findRepository(folder);
  const commit = await resolveCommit(revision, repository.root);
  const at = (path: string): string => `${commit}:${repository.prefix}${path}`;
  const [text] = await readBlobs([at(lockName)], repository.root);
  const lock = parseLockfile(text === undefined ? undefined : Buffer.from(text, 'utf8'));
  if (lock === undefined || lock === 'damaged') return undefined;
  const paths = [...indexLockedFiles(lock).keys()].filter((path) => isCompared.test(path) && !/[\r\n\0]/.test(path));
  const texts = await readBlobs(paths.map(at), repository.root);
  const byPath = new Map(paths.map((path, index) => [path, texts[index]]));
  return outputTreeFrom(lock, (path) => byPath.get(path));
}

/** Returns the date of the last commit of a folder's lockfile; undefined outside of a repository, or without such a commit. */
export async function findLockDate(folder: string): Promise<string | undefined> {
  // Unlike git log, rev-list neither verifies signatures nor converts text. A repository could configure programs for
  // both.
  const repository = await findRepository(folder).catch(() => undefined);
  if (repository === undefined) return undefined;
  const lockfile = `:(top,literal)${repository.prefix}${lockName}`;
  const output = await tryGit(['rev-list', '-1', '--format=%cs', 'HEAD', '--', lockfile], repository.root);
  return output?.split('\n').at(-1) || undefined;
}

/**
 * Returns the newest tag before the current commit that matches a pattern such as `packages-v*`; undefined if there is
 * none. Throws UsageError if the clone is too shallow to find one.
 */
export async function findLatestTag(pattern: string, folder: string): Promise<string | undefined> {
  const { root } = await findRepository(folder);
  const tag = await tryGit(['describe', '--tags', '--abbrev=0', `--match=${pattern}`, 'HEAD'], root);
  if (tag !== undefined) return tag;
  if ((await tryGit(['rev-parse', '--is-shallow-repository'], root)) === 'true')
    throw new UsageError(`no tag matches ${pattern} in this shallow clone: fetch its history and tags first`);
  return undefined;
}

type RepositoryFolder = {
  readonly root: string;
  /** Path of the folder in the repository, with a trailing slash; empty for the root. */
  readonly prefix: string;
};

// Starts at the nearest existing folder, because the output folder itself may be missing from the working tree.
async function findRepository(folder: string): Promise<RepositoryFolder> {
  const existing = findNearestFolder(folder, existsSync) ?? folder;
  const answer = await git(['rev-parse', '--show-toplevel'], existing).catch((cause: unknown) => {
    throw new UsageError(`${folder} is not in a readable git repository: ${toMessage(cause)}`, { cause });
  });
  const root = answer.toString('utf8').replace(/\n$/, '');
  const within = join(realpathSync(existing), relative(existing, folder));
  const path = relative(realpathSync(root), within).split(sep).join('/');
  // A repository can declare any folder as its working tree.
  if (path === '..' || path.startsWith('../'))
    throw new UsageError(`${folder} is not in ${root}, the working tree of its git repository`);
  return { root, prefix: path === '' ? '' : `${path}/` };
}

async function resolveCommit(revision: string, root: string): Promise<string> {
  // Git would read a name with a colon as a file, and a name that begins with a dash as a flag.
  const isName = /^[^\s:-][^\s:]{0,499}$/.test(revision);
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const commit = isName ? await tryGit(words, root) : undefined;
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit))
    throw new UsageError(
      `git has no revision ${JSON.stringify(revision)}; in a shallow clone, fetch it first: git fetch origin ${isName ? revision.replace(/^origin\//, '') : 'main'}`,
    );
  return commit;
}

/** Reads the text of each blob; undefined for a name that isn't a file. Names contain no line breaks. */
async function readBlobs(names: readonly string[], root: string): Promise<(string | undefined)[]> {
  if (names.length === 0) return [];
  const printed = await git(['cat-file', '--batch'], root, `${names.join('\n')}\n`);
  const texts: (string | undefined)[] = [];
  for (let start = 0; texts.length < names.length; ) {
    const end = printed.indexOf('\n', start);
    const head = printed.toString('utf8', start, end < 0 ? printed.length : end);
    const [, kind, length] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(head) ?? [];
    if (end < 0) throw new CommandFailure('git exited before it had printed every file: run the command again');
    const size = length === undefined ? undefined : Number(length);
    texts.push(kind === 'blob' ? printed.toString('utf8', end + 1, end + 1 + (size ?? 0)) : undefined);
    start = end + 1 + (size === undefined ? 0 : size + 1);
  }
  return texts;
}

/** Returns the trimmed output of git; undefined if it fails. */
async function tryGit(words: readonly string[], root: string): Promise<string | undefined> {
  const answer = await git(words, root).catch(() => undefined);
  return answer?.toString('utf8').trim();
}

/** Runs git without a shell, with the settings of `safeEnvironment` and `safeSettings`. */
async function git(words: readonly string[], folder: string, input = ''): Promise<Buffer> {
  const allowedEntries = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || allowedVariables.has(name),
  );
  const settings = safeSettings.flatMap((one) => ['-c', one]);
  const running = promisify(execFile)('git', ['--no-pager', ...settings, '-C', folder, ...words], {
    cwd: parse(folder).root, // Windows searches for programs in the working folder first.
    env: { ...Object.fromEntries(allowedEntries), ...safeEnvironment },
    encoding: 'buffer',
    maxBuffer: maxOutputBytes,
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  running.child.stdin?.on('error', () => {}).end(input); // If git has exited, its exit code explains why.
  try {
    return (await running).stdout;
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.code === 'ENOENT')
      throw new CommandFailure('git is not installed: --base needs it to read revisions', { cause });
    // Leaves out the long command line. The first line of git's error output explains the failure.
    const [, reason = toMessage(cause)] = /\n(?:fatal: )?(.+)/.exec(cause.message) ?? [];
    throw new CommandFailure(`git failed: ${reason}`, { cause });
  }
}
