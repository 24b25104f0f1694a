import type { InitChoices, Project } from './project.ts';

type Steps = { readonly setUp: readonly string[]; readonly verify: string; readonly check: string };

/**
 * Checks of the generated files: those of every pull request need no secret; the one with the credential runs on the main
 * branch alone, where the code is trusted.
 */
export function ciFile(
  { manifest, manager }: Project,
  choices: InitChoices,
): { path: string; text: string } | undefined {
  if (choices.ci === 'none') return undefined;
  const command =
    manifest === undefined ? `npx --yes openapi-switchyard@${choices.version}` : `${manager.run} switchyard`;
  const steps = {
    setUp: manifest === undefined ? [] : manager.install,
    verify: `${command} verify ${choices.out}`,
    check: `${command} generate --check`,
  };
  return choices.ci === 'github'
    ? { path: '.github/workflows/switchyard.yml', text: githubText(steps) }
    : { path: '.gitlab/switchyard.gitlab-ci.yml', text: gitlabText(steps) };
}

function githubText({ setUp, verify, check }: Steps): string {
  const runs = (last: string): string => [...setUp, last].map((line) => `      - run: ${line}\n`).join('');
  const start = `    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
`;
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
${start}${runs(verify)}  # Reads the router, so it runs where the code is trusted.
  check:
    if: github.event_name == 'push'
${start}${runs(check)}        env:
          SWITCHYARD_API_KEY: \${{ secrets.SWITCHYARD_API_KEY }}
`;
}

function gitlabText({ setUp, verify, check }: Steps): string {
  const script = (last: string): string => ['  script:', ...[...setUp, last].map((line) => `    - ${line}`)].join('\n');
  return `# Include it from .gitlab-ci.yml:  include: { local: .gitlab/switchyard.gitlab-ci.yml }
# Needs no credential and runs for merge requests from forks. It finds accidents, not tampering.
switchyard-verify:
  image: node:24
${script(verify)}

# Reads the router with SWITCHYARD_API_KEY, a protected variable, so it runs where the code is trusted.
switchyard-check:
  image: node:24
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
${script(check)}
`;
}
