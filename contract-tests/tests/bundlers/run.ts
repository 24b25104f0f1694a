import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { attempt } from '../attempt.ts';
import { namedBlock } from '../pages/code-blocks.ts';
import { type Deployment, deploy, drift } from '../pages/deployment.ts';
import { makeProject, mustRun, type Project, runScript } from '../pages/project.ts';

// Installs the packed package with each bundler into a temporary project, and builds the project with the recipe of the page.
// Checks the built files, that drift fails the build, and that a development build generates again. `Vite` only runs that recipe.
const page = 'docs/how-to/generate-in-a-bundler.md';
const modelId = 'image-provider/still-2.1';

type Recipe = {
  readonly name: string;
  /** Names of the files that are blocks of the page. */
  readonly files: readonly string[];
  readonly build: string;
  /** The command of the build that must fail on drift. */
  readonly frozen: string;
  /** The command of the development build. */
  readonly watch?: string | undefined;
  /** The folder with the built files. */
  readonly output: string;
};
/** Recipes that share an installation. */
type Group = { readonly packages: readonly string[]; readonly setUp?: string; readonly recipes: readonly Recipe[] };

const recipe = (name: string, file: string, build: string, other: Partial<Recipe> = {}): Recipe => {
  return {
    name,
    files: [file],
    build,
    frozen: `CI=true ${build}`,
    watch: `${build} --watch`,
    output: 'dist',
    ...other,
  };
};

const groups: readonly Group[] = [
  {
    packages: [
      'vite@8.3.8',
      'rollup@4.68.7',
      'rolldown@1.2.19',
      'esbuild@0.28.2',
      'webpack@5.112.2',
      'webpack-cli@7.3.1',
      '@rspack/core@2.3.2',
      '@rspack/cli@2.2.8',
      'typescript@5.9.3',
      '@types/node@24.19.2',
    ],
    // Compiles a recipe with the types that its users get.
    setUp: 'npx tsc --noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node vite.config.ts',
    recipes: [
      recipe('Vite', 'vite.config.ts', 'npx vite build'),
      recipe('Rollup', 'rollup.config.mjs', 'npx rollup --config rollup.config.mjs'),
      recipe('Rolldown', 'rolldown.config.mjs', 'npx rolldown --config rolldown.config.mjs'),
      recipe('webpack', 'webpack.config.mjs', 'npx webpack'),
      recipe('Rspack', 'rspack.config.mjs', 'npx rspack build'),
      recipe('esbuild', 'build.mjs', 'node build.mjs', { watch: undefined }),
    ],
  },
  {
    packages: ['astro@7.3.5'],
    recipes: [
      recipe('Astro', 'astro.config.mjs', 'npx astro build', {
        files: ['astro.config.mjs', 'src/pages/index.astro'],
        watch: undefined,
      }),
    ],
  },
  {
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    setUp: namedBlock(page, 'next.sh').text,
    recipes: [
      recipe('Next.js', 'app/page.jsx', 'npm run build', {
        files: ['app/page.jsx', 'app/layout.jsx'],
        frozen: 'npm run build:ci',
        watch: undefined,
        output: '.next/server/app',
      }),
    ],
  },
];

const quiet = '--no-audit --no-fund --prefer-offline --loglevel=error';
const telemetry = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };
const settings = `export default { routerUrl: process.env.SWITCHYARD_ROUTER_URL };\n`;
const packed = mkdtempSync(join(tmpdir(), 'switchyard-packed-'));

/** Sets up a project for its first build. Installs the peer last, to check that the plugin prints how to install it. */
async function prepare(project: Project, { packages, setUp, recipes }: Group): Promise<undefined> {
  rmSync(join(project.folder, 'node_modules'), { recursive: true });
  await mustRun(`npm install ${quiet} ${join(packed, '*.tgz')} ${packages.join(' ')}`, project.folder);
  const use = `import('openapi-switchyard/vite').then(({ switchyard }) => switchyard())`;
  const { output } = await project.run(`node -e "${use}"`);
  if (!output.includes('the bundler plugin needs the package unplugin: npm install --save-dev unplugin@'))
    throw new Error(`without its peer the plugin printed: ${output}`);
  const install = /npm install .*unplugin@[\d.]+/.exec(output)?.[0];
  await mustRun(`${install} ${quiet}`, project.folder);
  project.write('switchyard.config.mjs', settings);
  project.write('index.html', '<script type="module" src="/src/main.js"></script>');
  project.write('src/main.js', `import { model } from '../generated/models/${modelId}.js';\nconsole.log(model.id);\n`);
  // Omit the line with the name of the block, because an Astro file must begin with its fence.
  for (const name of recipes.flatMap(({ files }) => files)) {
    const { text } = namedBlock(page, name);
    project.write(name, name.endsWith('.astro') ? text.slice(text.indexOf('\n') + 1) : text);
  }
  if (setUp !== undefined) await mustRun(setUp, project.folder);
}

async function tryRecipe({ folder }: Project, { build, frozen, output }: Recipe): Promise<undefined> {
  const deployment: Deployment = await deploy();
  const env = { CI: '', ...telemetry, ...deployment.environment };
  for (const made of [output, 'generated', '.switchyard']) rmSync(join(folder, made), { recursive: true, force: true });
  try {
    await mustRun(build, folder, env);
    const built = readdirSync(join(folder, output), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, output, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes(modelId));
    if (built.length === 0) throw new Error(`no file below ${output} contains ${modelId}`);
    await mustRun(frozen, folder, env);
    await drift(deployment);
    const { code, output: printed } = await runScript(frozen, folder, { env });
    if (code === 0 || !/to fix: .*npx openapi-switchyard generate/.test(printed))
      throw new Error(`drift ended with exit code ${code}: ${printed.slice(-2_000)}`);
  } finally {
    await deployment.close();
  }
}

/**
 * Checks (scripts/bundlers/bundlers.test.ts does for esbuild) that a development build generates again when the configuration
 * changes, without a restart.
 */
async function tryWatching(project: Project, { watch, output }: Recipe): Promise<undefined> {
  const deployment = await deploy();
  const shipped = `generated/models/${modelId}.schema.json`;
  const script = `
until_() { for _ in {1..150}; do if "$@"; then return; fi; sleep 0.5; done; tail -30 watch.log; exit 1; }
trap "trap '' TERM; kill -TERM -- -$$" EXIT
rm -rf ${output} generated .switchyard
sleep 100 | ${watch} > watch.log 2>&1 &
until_ grep -qrs ${modelId} ${output}
[ -e ${shipped} ]
sed -i 's/};/, generate: { typesOnly: true } };/' switchyard.config.mjs
until_ test ! -e ${shipped}
until_ grep -q 'switchyard: ..:..:.. models: ' watch.log`;
  try {
    await mustRun(script, project.folder, { CI: '', ...deployment.environment });
  } finally {
    project.write('switchyard.config.mjs', settings);
    await deployment.close();
  }
}

const names = process.argv.slice(2);
const chosen = groups
  .map((group) => ({
    ...group,
    recipes: group.recipes.filter(({ name }) => names.length === 0 || names.includes(name)),
  }))
  .filter(({ recipes }) => recipes.length > 0);
const problems: string[] = chosen.length === 0 ? [`no recipe is called ${names.join(' or ')}`] : [];
const run = async (name: string, work: () => Promise<undefined>) => problems.push(...(await attempt(name, work)));

try {
  await mustRun(`npm pack --silent --pack-destination ${packed}`, packageRoot());
  for (const group of chosen) {
    const project = makeProject();
    try {
      await run(`installed: ${group.packages.join(' ')}`, () => prepare(project, group));
      for (const one of group.recipes) await run(one.name, () => tryRecipe(project, one));
      for (const one of group.recipes)
        if (one.watch !== undefined) await run(`${one.name}, in development`, () => tryWatching(project, one));
    } finally {
      project.close();
    }
  }
} finally {
  rmSync(packed, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
