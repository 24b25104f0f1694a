import { onReply } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';

const asBadGateway = onReply((reply) => ({ ...reply, status: 502 }));

/** Failures of what an operation depends on, which only a scripted outcome brings about. */
export const dependencyFaults: readonly Fault[] = [
  ...group({ id: 'dependencies', on: ['listModels', 'readModel', 'readSchemaDocument'], status: 500 }, [
    fault(
      'internal-error-is-502',
      'MR-STC-15 MR-CTG-15',
      'A failure inside the router is reported as 502',
      asBadGateway,
    ),
  ]),
  ...group({ id: 'dependencies', on: ['readJobWorkflow'], status: 500 }, [
    fault('upstream-error-is-502', 'WX-COD-15', 'A failure behind the workflow API is reported as 502', asBadGateway),
  ]),
];
