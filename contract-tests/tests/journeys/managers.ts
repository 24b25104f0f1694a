import type { Program } from '../runtimes/runtimes.ts';

/** A package manager, and the commands that a user types for it. */
export type Manager = Program & {
  /** Name of its command. */
  readonly command: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Files that a project has before its first install. */
  readonly files?: Readonly<Record<string, string>>;
  readonly add: string;
  /** Prefix that runs the command of an installed package. */
  readonly exec: string;
  /** Command that runs a file with Node; `node` by default. */
  readonly node?: string;
};

const yarn = { command: 'yarn', add: 'yarn add --dev' } as const;
const berry = {
  ...yarn,
  package: '@yarnpkg/cli-dist@4.18.1',
  executable: '@yarnpkg/cli-dist/bin/yarn.js',
  exec: 'yarn',
  node: 'yarn node',
};
const linkedBy = (linker: string) => ({ 'yarn.lock': '', '.yarnrc.yml': `nodeLinker: ${linker}\n` });

export const npm: Manager = {
  name: 'npm',
  package: 'npm@11.19.1',
  executable: 'npm/bin/npm-cli.js',
  command: 'npm',
  add: 'npm install --save-dev',
  exec: 'npx',
};

export const managers: readonly Manager[] = [
  npm,
  {
    name: 'pnpm',
    package: 'pnpm@12.21.0',
    executable: '@pnpm/exe.*/pnpm',
    command: 'pnpm',
    add: 'pnpm add --save-dev',
    exec: 'pnpm exec',
  },
  { ...yarn, name: 'yarn-classic', package: 'yarn@1.22.22', executable: 'yarn/bin/yarn.js', exec: 'yarn --silent' },
  { ...berry, name: 'yarn-berry', files: linkedBy('node-modules') },
  { ...berry, name: 'yarn-pnp', files: linkedBy('pnp') },
  {
    name: 'bun',
    package: 'bun@1.4.5',
    executable: '@oven/*/bin/bun',
    command: 'bun',
    add: 'bun add --dev',
    exec: 'bun run',
    isOptional: true,
  },
];
