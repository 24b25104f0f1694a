import { createSandbox, listFaults, listVariants, manualClock } from './sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from './specs/src/index.ts';
import { inProcessPorts, runConformance } from './contract-tests/src/index.ts';
import { catalog, limits, targetAt } from './contract-tests/tests/sandbox-under-test.ts';
const specs=await buildEffectiveSpecs(defaultSpecSettings);
const all=[...listVariants().map(v=>({v:v.id})),...listFaults().filter(f=>/^(limits|cancel|collect|run|idempotency.running)/.test(f.id)).map(f=>({f}))] as any[];
for(const one of all){
 const clock=manualClock(); const sandbox=createSandbox({specs,clock,catalog,...(one.v?{variants:[one.v]}:{faults:[one.f.id]})});
 const r=await runConformance({target:targetAt('http://s.test',sandbox.jobs),specs,limits,withoutEvidence:true},inProcessPorts(sandbox.handle,clock));
 const own=one.f?[...one.f.requirements,...(one.f.alsoViolates??[])]:[];
 const bad=r.results.filter((x:any)=>(['failed','errored','setup-failed','blocked'].includes(x.outcome.kind)&&one.v)||(x.outcome.kind==='failed'&&!x.requirements.some((q:string)=>own.includes(q))));
 if(bad.length) console.log(one.v??one.f.id, bad.map((x:any)=>x.ruleId+' '+x.outcome.kind).slice(0,5));
 await sandbox.close();
}
console.log('done', all.length);
