// The least a client can do to see that nothing changed: conditional requests over kept connections, eight at once.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const [, , base = '', list = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const paths = JSON.parse(readFileSync(list, 'utf8'));
const ask = ({ path, tag }) =>
  new Promise((done, fail) => {
    get(base + path, { agent, headers: { 'if-none-match': tag } }, (response) => {
      response
        .resume()
        .on('end', () => (response.statusCode === 304 ? done() : fail(new Error(String(response.statusCode)))));
    }).on('error', fail);
  });
await Promise.all(paths.map(ask));
agent.destroy();
