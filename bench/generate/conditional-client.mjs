// The lower bound for an update without changes: sends one conditional request per document over eight connections.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const [, , base = '', list = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const paths = JSON.parse(readFileSync(list, 'utf8'));
const checkUnchanged = ({ path, tag }) =>
  new Promise((done, fail) => {
    get(base + path, { agent, headers: { 'if-none-match': tag } }, (response) => {
      response
        .resume()
        .on('end', () => (response.statusCode === 304 ? done() : fail(new Error(String(response.statusCode)))));
    }).on('error', fail);
  });
await Promise.all(paths.map(checkUnchanged));
agent.destroy();
