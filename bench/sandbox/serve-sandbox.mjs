// A child process of the bench: serves the sandbox of the installed product, and prints its address.
// `node serve-sandbox.mjs <product folder> <catalog folder or ''> <options as JSON>`
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , product = '', catalogFolder = '', options = '{}'] = process.argv;
const { buildEffectiveSpecs, createSandbox, defaultSpecSettings, listen, readCatalogFolder } = await import(
  pathToFileURL(join(product, 'dist/scripts/library.js')).href
);

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const catalog = catalogFolder === '' ? {} : { catalog: (await readCatalogFolder(catalogFolder)).models };
const sandbox = createSandbox({ specs, ...catalog, ...JSON.parse(options) });
const { url } = await listen(sandbox, { port: 0, host: '127.0.0.1' });
process.on('message', () => process.send?.(process.memoryUsage().rss / 2 ** 20));
process.stdout.write(`${url}\n`);
