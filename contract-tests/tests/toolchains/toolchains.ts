import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../specs/src/index.ts';
import { namedBlock } from '../pages/code-blocks.ts';

/** A toolchain that builds the application in a workspace of the lockfile. */
export type Toolchain = {
  readonly name: string;
  /** The workspace in which its tools are installed. */
  readonly workspace: string;
  /** Contents of additional files by path. The application and its imports already exist. */
  readonly files: Readonly<Record<string, string>>;
  /** Bash script. It writes the application's result for the arguments `$GIVEN` to `answer.json`; `$PORT` is a free port. */
  readonly script: string;
};

/** Returns a command that calls `use` of a built file. */
const callBuilt = (file: string): string => `node -e '
import("./${file}").then((built) => (built.use ?? built.default?.use ?? globalThis.use)(JSON.parse(process.env.GIVEN)))
  .then((answer) => require("fs").writeFileSync("answer.json", JSON.stringify(answer)))'`;

/** Entry of bundles that cannot export `use`. */
const globalEntry = `import { use } from './application';\nglobalThis.use = use;\n`;

const nextFiles = (runtime: string): Record<string, string> => ({
  // Turbopack treats the application's files as CommonJS if the manifest has that type.
  'package.json': '{ "name": "application", "private": true }',
  'app/layout.tsx': `
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
  // The browser bundle also contains the client, and rendering the page imports it.
  'app/page.tsx': `'use client';
import { use } from '../application';
export default function Page() {
  const given = { url: '', apiKey: '', token: '', job: '' };
  return <button type="button" onClick={() => use(given)}>{typeof use}</button>;
}`,
  // The route of the page Calls for many users.
  'app/v2/[...path]/route.ts': `
import { createModelRouterProxy, type ProxyHandler } from '../../../generated/model-router/proxy.js';
let handler: ProxyHandler | undefined;
const { url: baseUrl, apiKey } = JSON.parse(process.env.GIVEN!);
const route: ProxyHandler = (request) =>
  (handler ??= createModelRouterProxy({ models: 'all', findUser: () => 'ada', baseUrl, apiKey }))(request);
export { route as GET, route as POST, route as PUT };
export const maxDuration = 300;
`,
  'app/api/use/route.ts': `
import { use } from '../../../application';
export const dynamic = 'force-dynamic';
export const runtime = '${runtime}';
export async function GET() {
  return Response.json(await use(JSON.parse(process.env.GIVEN!)));
}`,
});

function next(version: string, command: string, runtime: 'nodejs' | 'edge' = 'nodejs'): Toolchain {
  const start = command.startsWith('build')
    ? `npx next ${command}; npx next start -p $PORT`
    : `npx next ${command} -p $PORT`;
  return {
    name: `next-${version}, ${command}${runtime === 'edge' ? ', edge' : ''}`,
    workspace: `next-${version}`,
    files: nextFiles(runtime),
    script: `export NEXT_TELEMETRY_DISABLED=1
rm -rf .next
${start.replace('; ', '\n')} > server.log 2>&1 &
for _ in {1..240}; do curl -fsS --max-time 60 http://127.0.0.1:$PORT/api/use -o answer.json 2> curl.log && break; sleep 0.5; done
cat server.log
curl -fsS http://127.0.0.1:$PORT/v2/models | grep -o '"image-provider/still-2.1"'
curl -fsS http://127.0.0.1:$PORT/ | grep -o '>function<'`,
  };
}

const loose = JSON.stringify({
  compilerOptions: {
    ...{ target: 'es2017', useDefineForClassFields: false, strict: false, allowJs: true, skipLibCheck: false },
    ...{ module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  },
  files: ['application.ts'],
});

/** Settings that also compile generated files. */
const webpackSettings = (rule: string): string => `export default {
  mode: 'production',
  entry: './application.ts',
  target: ['web', 'es2017'],
  output: { path: import.meta.dirname + '/dist', filename: 'built.js', library: { type: 'commonjs-module' } },
  resolve: { extensions: ['.ts', '.js'] },
  module: { rules: [${rule}] },
  performance: { hints: false },
};
`;

const bundlers: readonly Toolchain[] = [
  {
    name: 'webpack with ts-loader',
    workspace: 'bundlers',
    files: {
      'tsconfig.json': loose,
      'webpack.config.mjs': webpackSettings(`
    { test: /\\.ts$/, loader: 'ts-loader' },
    { test: /generated.*\\.js$/, loader: 'ts-loader', options: { transpileOnly: true } },`),
    },
    script: `npx webpack\n${callBuilt('dist/built.js')}`,
  },
  {
    name: 'Rspack, ES2017, loose',
    workspace: 'bundlers',
    files: {
      'rspack.config.mjs': webpackSettings(`{
      test: /\\.[jt]s$/,
      loader: 'builtin:swc-loader',
      options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2017', loose: true, transform: { useDefineForClassFields: false } } },
      type: 'javascript/auto',
    }`),
    },
    script: `npx rspack build\n${callBuilt('dist/built.js')}`,
  },
  {
    name: 'SWC, loose',
    workspace: 'bundlers',
    files: {
      'build.cjs': `
const { transformFileSync } = require('@swc/core');
const { cpSync, globSync, rmSync, writeFileSync } = require('node:fs');
rmSync('dist', { recursive: true, force: true });
cpSync('generated', 'dist/generated', { recursive: true });
cpSync('application.ts', 'dist/application.ts');
const jsc = {
  ...{ parser: { syntax: 'typescript' }, target: 'es2017', loose: true, transform: { useDefineForClassFields: false } },
};
for (const file of ['dist/application.ts', ...globSync('dist/generated/**/*.js')])
  writeFileSync(file.replace(/ts$/, 'js'), transformFileSync(file, { jsc, module: { type: 'commonjs' } }).code);
for (const file of globSync('dist/generated/*/package.json')) writeFileSync(file, '{ "type": "commonjs" }');
`,
    },
    script: `node build.cjs\n${callBuilt('dist/application.js')}`,
  },
  {
    name: 'Parcel',
    workspace: 'bundlers',
    files: { 'index.js': globalEntry },
    script: `npx parcel build index.js --no-cache --dist-dir dist --no-source-maps\n${callBuilt('dist/index.js')}`,
  },
];

const metro: Toolchain = {
  name: 'Metro',
  workspace: 'metro',
  files: {
    'index.js': globalEntry,
    'babel.config.js': `module.exports = { presets: ['@react-native/babel-preset'] };\n`,
    'metro.config.js': `const { getDefaultConfig, mergeConfig } = require('metro-config');
module.exports = (async () => mergeConfig(await getDefaultConfig(__dirname), {
  watchFolders: [require('node:path').resolve(__dirname, '../../node_modules')],
  resolver: { sourceExts: ['ts', 'js', 'json'], platforms: ['android', 'ios'] },
  transformer: { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') },
}))();
`,
  },
  script: `mkdir dist
npx metro build index.js --platform android --dev false --minify true --out dist/built.js --reset-cache
${callBuilt('dist/built.js')}`,
};

const strict = { target: 'es2022', strict: true, esModuleInterop: true, skipLibCheck: true, types: ['node'] };
const ofNodenext = JSON.stringify({ compilerOptions: { ...strict, module: 'nodenext', isolatedModules: true } });
const ofCommonJs = JSON.stringify({ compilerOptions: { ...strict, module: 'commonjs', moduleResolution: 'node10' } });

const answeringTest = `
const { use } = require('./application');
test('answers', async () => {
  const answer = await use(JSON.parse(process.env.GIVEN));
  require('node:fs').writeFileSync('answer.json', JSON.stringify(answer));
}, 60_000);
`;

/** Jest in a CommonJS project. Without `flags`, its transform also turns generated files into CommonJS. */
function jest(name: string, settings: object, flags = '', files: Toolchain['files'] = {}): Toolchain {
  return {
    name: `Jest, ${name}`,
    workspace: 'test-runners',
    files: {
      'application.test.js': answeringTest,
      'jest.config.js': `module.exports = ${JSON.stringify(settings)};`,
      'babel.config.js': `module.exports = {
  presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'],
};`,
      'tsconfig.json': ofNodenext,
      ...files,
    },
    script: `NODE_OPTIONS='${flags}' npx jest --ci --no-cache`,
  };
}

const vm = '--experimental-vm-modules';
/** Files of the page Test your client, with the sources instead of the package. */
function globalSetup(): Toolchain['files'] {
  const read = (name: string): string => namedBlock('docs/how-to/test-your-client.md', name).text;
  const library = pathToFileURL(join(packageRoot(), 'scripts/library.ts'));
  return {
    'jest.setup.mjs': read('jest.setup.mjs').replace('openapi-switchyard', library.href),
    'jest.teardown.mjs': read('jest.teardown.mjs'),
    'jest.config.js': read('jest.config.js'),
    'application.test.js': answeringTest.replace(
      'JSON.parse(process.env.GIVEN)',
      '{ ...JSON.parse(process.env.GIVEN), url: process.env.MODEL_ROUTER_URL }',
    ),
  };
}

const allowJs = { allowJs: true, module: 'commonjs', target: 'es2022', esModuleInterop: true };
const swc = { transform: { '\\.[jt]s$': '@swc/jest' } };

/** A tool that runs TypeScript without a build. */
const started = (name: string, command: string, tsconfig: string): Toolchain => ({
  name,
  workspace: 'test-runners',
  files: {
    'main.ts': `import { use } from './application';
import { writeFileSync } from 'node:fs';
use(JSON.parse(process.env['GIVEN'] ?? '')).then((answer) => writeFileSync('answer.json', JSON.stringify(answer)));`,
    'tsconfig.json': tsconfig,
  },
  script: command,
});

const testRunners: readonly Toolchain[] = [
  jest('babel-jest', {}),
  jest('babel-jest, jsdom', { testEnvironment: 'jest-fixed-jsdom' }),
  jest('babel-jest, a sandbox in a global setup', {}, '', globalSetup()),
  jest('ts-jest', { transform: { '\\.[jt]s$': ['ts-jest', { tsconfig: allowJs }] } }),
  jest('SWC', swc),
  jest('SWC, ES modules', { transform: { '\\.ts$': '@swc/jest' } }, vm),
  jest('ts-jest, ES modules', { preset: 'ts-jest' }, vm),
  started('tsx', 'npx tsx main.ts', ofNodenext),
  started('ts-node, nodenext', 'npx ts-node main.ts', ofNodenext),
  started('ts-node, commonjs', 'npx ts-node main.ts', ofCommonJs),
];

export const toolchains: readonly Toolchain[] = [
  next('14', 'build'),
  next('14', 'dev'),
  next('14', 'dev --turbo'),
  next('14', 'build', 'edge'),
  next('15', 'build'),
  next('15', 'build --turbopack'),
  next('15', 'dev'),
  next('16', 'build'),
  next('16', 'build --webpack'),
  next('16', 'dev'),
  next('16', 'build', 'edge'),
  ...bundlers,
  metro,
  ...testRunners,
];
