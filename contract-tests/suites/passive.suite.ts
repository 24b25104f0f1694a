import { passiveRules } from '../src/passive/index.ts';
import { registerFamily } from '../src/runner/suite.ts';

registerFamily('passive', passiveRules);
