import { commandsOf, type InitChoices, type Project } from './project.ts';

/**
 * Checks of the generated files: those of every pull request need no secret; the one with the credential runs on the main
 * branch alone, where the code is trusted.
 */
export function ciFile(project: Project, choices: InitChoices): { path: string; text: string } | undefined {
  if (choices.ci === 'none') return undefined;
  const { install, run } = commandsOf(project);
  const isInstalled = project.manifest !== undefined;
  const command = (words: string): string =>
    isInstalled ? run(`switchyard ${words}`) : `npx --yes openapi-switchyard@${choices.version} ${words}`;
  const parts = {
    setUp: isInstalled ? [...prepare[project.manager], install] : [],
    verify: command(`verify ${choices.out}`),
    check: command('generate --check'),
  };
  return choices.ci === 'github'
    ? { path: '.github/workflows/switchyard.yml', text: githubText(parts) }
    : { path: '.gitlab/switchyard.gitlab-ci.yml', text: gitlabText(parts) };
}

/** Package managers that do not come with Node. */
const prepare = {
  npm: [],
  pnpm: ['npm install --global pnpm'],
  yarn: ['corepack enable'],
  bun: ['npm install --global bun'],
} as const;

type Parts = { readonly setUp: readonly string[]; readonly verify: string; readonly check: string };

function githubText({ setUp, verify, check }: Parts): string {
  const steps = (last: string, more = ''): string =>
    [
      '      - uses: actions/checkout@v4',
      '      - uses: actions/setup-node@v4\n        with: { node-version: 24 }',
      ...[...setUp, last].map((line) => `      - run: ${line}`),
    ].join('\n') + more;
  return `name: switchyard
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  # Needs no credential and runs for pull requests from forks. It finds accidents, not tampering.
  verify:
    runs-on: ubuntu-latest
    steps:
${steps(verify)}
  # Reads the router, so it runs where the code is trusted.
  check:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    steps:
${steps(check, `\n        env:\n          SWITCHYARD_API_KEY: \${{ secrets.SWITCHYARD_API_KEY }}`)}
`;
}

function gitlabText({ setUp, verify, check }: Parts): string {
  const job = (last: string): string => [...setUp, last].map((line) => `    - ${line}`).join('\n');
  return `# Include it from .gitlab-ci.yml:  include: { local: .gitlab/switchyard.gitlab-ci.yml }
# Needs no credential and runs for merge requests from forks. It finds accidents, not tampering.
switchyard-verify:
  image: node:24
  script:
${job(verify)}

# Reads the router with SWITCHYARD_API_KEY, a protected variable, so it runs where the code is trusted.
switchyard-check:
  image: node:24
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
${job(check)}
`;
}
