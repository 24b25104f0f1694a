import { proveFamilies } from './fault-proof.ts';
import { toldFamilies } from './rule-families.ts';

await proveFamilies(toldFamilies);
