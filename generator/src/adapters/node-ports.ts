import type { Ports } from '../ports.ts';
import { fetchHttp } from './fetch-http.ts';
import { nodeFiles } from './node-files.ts';
import { systemClock } from './system-clock.ts';

export function nodePorts(): Ports {
  return { http: fetchHttp, files: nodeFiles, clock: systemClock };
}
