import { parseArgs } from 'node:util';
import { bugs, parseBugs } from './bugs.ts';
import { startServer } from './start.ts';

// node contract-tests/tests/second-server/main.ts [--port 4100] [--brand Word] [--bug id …] [--hooks] [--list-bugs]

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    brand: { type: 'string', default: 'Service' },
    bug: { type: 'string', multiple: true, default: [] },
    'open-workflow': { type: 'boolean', default: false },
    hooks: { type: 'boolean', default: false },
    'hooks-credential': { type: 'string' },
    'list-bugs': { type: 'boolean', default: false },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

if (values['list-bugs']) {
  for (const { id, operation, section, sentence } of bugs) print(`${id}  (${operation}; ${section}) ${sentence}`);
} else {
  const port = Number(values.port);
  const server = await startServer({
    brand: values.brand,
    bugs: parseBugs(values.bug),
    routerPort: port,
    workflowPort: port && port + 1,
    openWorkflow: values['open-workflow'],
    hooks: values.hooks,
    ...(values['hooks-credential'] && { hooksCredential: values['hooks-credential'] }),
  });
  const keys = (accounts: Record<string, { apiKey: string }>) =>
    Object.fromEntries(Object.entries(accounts).map(([name, { apiKey }]) => [name, apiKey]));
  print(`router    ${server.routerUrl}`);
  print(`workflow  ${server.workflowUrl}`);
  if (server.hooksUrl) print(`hooks     ${server.hooksUrl}`);
  print(`router keys    ${JSON.stringify(keys(server.accounts.router), null, 2)}`);
  print(`router token of main    ${server.accounts.router.main.token}`);
  print(`workflow keys  ${JSON.stringify(keys(server.accounts.workflow), null, 2)}`);
  print(`jobs           ${JSON.stringify(server.jobs, null, 2)}`);
}
