import type { Ports } from '../ports.ts';
import { nodeFiles } from './node-files.ts';
import { nodeHttp } from './node-http.ts';
import { systemClock } from './system-clock.ts';

export function nodePorts(): Ports {
  return { http: nodeHttp, files: nodeFiles, clock: systemClock };
}
