/** A package manager, and the lines that a person types with it. */
export type Manager = {
  readonly name: string;
  /** The npm package that brings it, in an exact version. */
  readonly package: string;
  /** Where its executable is below `node_modules`; a pattern. */
  readonly executable: string;
  /** What it is called on the command line. */
  readonly command: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Files that a project has before its first install. */
  readonly files?: Readonly<Record<string, string>>;
  readonly add: string;
  readonly install: string;
  /** Runs the command of an installed package. */
  readonly exec: string;
  /** Runs a file with Node. */
  readonly node: string;
  /** Whether a machine where it cannot be installed fails the run. */
  readonly isRequired: boolean;
};

const berry = {
  package: '@yarnpkg/cli-dist@4.18.1',
  executable: '@yarnpkg/cli-dist/bin/yarn.js',
  command: 'yarn',
  add: 'yarn add --dev',
  install: 'yarn install',
  exec: 'yarn',
  node: 'yarn node',
  isRequired: true,
} as const;

export const managers: readonly Manager[] = [
  {
    name: 'npm',
    package: 'npm@11.19.1',
    executable: 'npm/bin/npm-cli.js',
    command: 'npm',
    add: 'npm install --save-dev',
    install: 'npm install',
    exec: 'npx',
    node: 'node',
    isRequired: true,
  },
  {
    name: 'pnpm',
    package: 'pnpm@12.21.0',
    executable: '@pnpm/exe.*/pnpm',
    command: 'pnpm',
    add: 'pnpm add --save-dev',
    install: 'pnpm install',
    exec: 'pnpm exec',
    node: 'node',
    isRequired: true,
  },
  {
    name: 'yarn-classic',
    package: 'yarn@1.22.22',
    executable: 'yarn/bin/yarn.js',
    command: 'yarn',
    add: 'yarn add --dev',
    install: 'yarn install',
    exec: 'yarn --silent',
    node: 'node',
    isRequired: true,
  },
  { name: 'yarn-berry', files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\n' }, ...berry },
  { name: 'yarn-pnp', files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: pnp\n' }, ...berry },
  {
    name: 'bun',
    package: 'bun@1.4.5',
    executable: '@oven/*/bin/bun',
    command: 'bun',
    add: 'bun add --dev',
    install: 'bun install',
    exec: 'bun run',
    node: 'node',
    isRequired: false,
  },
];
